"""Words that show what a sentence takes for granted, and why.

The lists follow the ways in which English (and, more briefly, Chinese) marks supposing and leaving out, the
validity of a relation, cause and comparison.
"""

from __future__ import annotations

import re


def any_of(*parts: str) -> re.Pattern[str]:
    """English words as a whole, then Chinese ones anywhere."""
    english, *chinese = parts
    return re.compile("|".join([rf"\b(?:{english})\b", *chinese]), re.IGNORECASE)


SUPPOSES = any_of(
    r"(?:left|set|put) aside|left unmodell?ed|drops? out|(?:can|may) be (?:forgotten|dropped|left)"
    r"|forgotten|discounted|stays? out|(?:re)?assum\w+|suppos\w+|presum\w+|postulat\w+|hypothes\w+"
    r"|premises?|neglect\w*|negligibl[ey]"
    r"|ignor\w+"
    r"|disregard\w*|omit\w*|drop(?:ped|s)?|left out|leav(?:e|es|ing) out|treat\w*|ideali[sz]\w+"
    r"|simplif\w+"
    r"|(?:approximat\w+|tak(?:e|es|en|ing)|took|consider\w*|model+\w*|regard\w*|view\w*"
    r"|idealise\w*)\b[^.;,]{0,60}?\bas\b(?! (?:much|many|far|soon|well|long|high|low))"
    r"|(?:we|i|is|are|being) (?:take|took|taken|model+(?:ed)?|approximate|consider|held|kept)"
    r"|lump(?:ed|s)?|let us say"
    r"|lean(?:s|ing)? on|rel(?:y|ies|ying) on|rests? on|provided (?:that|the|it)|as long as|so long as"
    r"|premis\w+|left out|leav(?:e|es|ing) out"
    r"|not (?:credited|counted|considered|included)|contributes? nothing|plays? no (?:role|part)"
    r"|of no (?:concern|importance|account|moment|consequence|interest|matter)|no (?:issue|factor|concern)"
    r"|cut off|truncat\w+|thrown out|skipped|suppressed|switched off"
    r"|out of (?:play|account|consideration)|(?:struck|crossed|left) out|(?:does|do|need) not (?:enter|count)"
    r"|has no (?:say|bearing)|too (?:small|weak|slow|short|few|little|thin) to (?:matter|count|notice|show)"
    r"|does not matter|(?:we|i) (?:have )?used? [^.;]{0,60}throughout"
    r"|(?:constant|fixed|uniform|frozen) throughout",
    "假设|假定|忽略|不计|视为|看作|近似为|当作|认为|取为|可按",
)
"""Verbs by which something is taken for granted or left out of account."""

VALIDITY = any_of(
    r"(?:do|does)(?=[,.;:]| (?:as|because|since|here|well)\b)|wants?"
    r"|built (?:in|into|for|on)|made for|stands? for|good (?:for|up to|between|from|until|down to)"
    r"|stays?|remains?|keeps?|matters? only|only (?:near|for|if|when|above|below)|conditions? of"
    r"|fine (?:up to|for|here|below|above|at|as)|swamps?|small against|needs? a|presuppos\w*|valid\w*"
    r"|hold(?:s|ing)?|appl(?:y|ies|icable|icability)|appropriate(?:ly)?|adequate(?:ly)?|suitable"
    r"|suits?"
    r"|justif\w+|legitimate\w*|legit|permissible|admissible|warranted|acceptable|suffic(?:es|ient|iently)"
    r"|accurate enough|regimes?|territory|branch|calls? for|intended|meant for|derived for|developed for"
    r"|restricted to"
    r"|limited to|rule[sd]? out|excludes?|fair|outweighs?|dominates?|prevails?|belongs?|breaks? down"
    r"|is the case|fails? (?:here|for|at|when)"
    r"|(?:right|correct|proper|relevant|governing|sound|natural|obvious|good|safe|fair)"
    r" (?:tool|choice|one|model|regime|branch|limit|formula"
    r"|relation|theory|law)"
    r"|serves?|wanted|called for|trustworthy|reliable|enough here|good enough|meets?|met|satisfied"
    r"|fulfilled"
    r"|(?:is|are|quite|perfectly|seems?) (?:safe|fine|good|ok(?:ay)?|reasonable)"
    r"|(?:safe|fine|good|reasonable) (?:here|approximation|assumption|model|to)",
    "适用|成立|有效|属于|处于|适合|满足|适用范围",
)
"""Predicates by which a relation is said to hold here, or a regime to be met."""

BECAUSE = any_of(
    r"(?:the )?(?:problem|statement|question|task)|as (?:given|instructed|stated|told|said)"
    r"|past|short of|against|i\.e|asks?|wants?|requires?|after|far too|nothing|only|no \w+ to speak of"
    r"|because|since|as (?:the|no|it|there|both|all|its|we)|due to|owing to|on account of|so"
    r"|true (?:near|for|here|as|when|at|of|if|in)|(?:that|this|which)(?:'s| is) why|for (?:this|that) reason"
    r"|so that|therefore"
    r"|hence|thus|which|justif\w+|given|for|below|above|exceed\w*|beyond|within|between|far from|compared"
    r"|relative to"
    r"|(?:less|more|greater|smaller|larger|lower|higher|shorter|longer|faster|slower|thinner) than"
    r"|states?|statement|stated"
    r"|says|said|mentioned|allow(?:s|ed)|asked|prescrib\w+|specified|told|tells|enough|too"
    r"|negligible against|(?:at|with|of)"
    r" (?=[^.;]{0,40}(?:\d|\b(?:half|third|quarter|fifth|tenth|hundredth|per ?cent|some|thousands?)\b))",
    r"[<>≈~]|\([^()]*(?:\d|\b(?:no|not|is|are|only|small|too|thin|low|high|large|long"
    r"|short|slow|narrow|weak|so|hence)\b)",
    "因为|由于|因此|所以|故|远小于|远大于|小于|大于|低于|高于|题目|题中|足够",
)
"""Connectives and comparisons that give an assumption its reason."""

COMPARED = any_of(
    r"below|above|exceed\w*|beyond|within|between|under|over|far from|past"
    r"|(?:less|more|greater|smaller|larger|lower|higher) than",
    r"[<>]",
    "远小于|远大于|小于|大于|低于|高于|超过",
)
"""Comparisons of a number that decides on a regime."""

CAUSAL = any_of(
    r"because|since|so|therefore|hence|thus|which (?:makes|puts|means|places)|puts|places|due to"
    r"|given (?:the|that|this|these|such|how|its)|seeing that|in view of|thanks to"
    r"|owing to|as (?:the|no|it|there)|(?:that|this|which)(?:'s| is) (?:why|what)|for (?:this|that) reason",
    r"<<|>>|;",
    "因为|由于|因此|所以|故",
)
"""Connectives of cause alone."""

METHOD = any_of(
    r"formula\w*|correlations?|theor(?:y|ies)|relations?|laws?|equations?|models?|expressions?|rules?"
    r"|approach|methods?"
    r"|treatment|analogy|fits?|criteri(?:on|a)|approximations?|picture|solution|estimates?|balance"
    r"|jump conditions?"
    r"|networks?|integrals?|series|correlated|recipe|procedure|simplification|description|limit|bridge|profile|distribution|statistics|coefficients?|constants?",
    "公式|理论|关系|模型|方法|定律|近似|准则",
)
"""What is chosen or justified in a solution."""

IDEALISED = any_of(
    r"(?:electronic|higher|upper|excited|two|three|more|single)[- ](?:levels?|states?)"
    r"|laminar|turbulent|transitional|transition|(?:quasi-?)?stead(?:y|ily)|stationary|unsteady|inviscid"
    r"|adiabatic\w*"
    r"|isothermal|isentropic|isobaric|frozen|(?:non-?)?equilibrium|(?:perfect|ideal)(?:,? \w+)?[ -]gas\w*"
    r"|perfect\b"
    r"|caloricallyly|continuum|rarefied|rarefaction|free[- ]molecul\w+|molecular flow"
    r"|collision(?:less|al|s)"
    r"|slip|hypersonic|supersonic|subsonic|sonic|(?:in)?compressib\w+|gr[ea]y|black(?:body)?|diffuse\w*"
    r"|specular|opaque"
    r"|transparent|optically|thin|thick|(?:non-?)?catalytic\w*|constant|uniform\w*|homogene\w+"
    r"|(?:one|two)-dimensional"
    r"|[12]-?d|axisymmetric|lumped|semi-?infinite|infinite|attached|detached|cold|cool|hot"
    r"|undissociated|no-?slip"
    r"|gradients?|small[- ]angle|slender|blunt|sharp|flat|dilute|binary|first[- ]order|strong|weak"
    r"|high-?mach|mach|reynolds"
    r"|knudsen|biot|prandtl|damk\w+|losses|lossless|conduct\w+|radiat\w+|convect\w+|ablat\w+|blowing"
    r"|dissociat\w+"
    r"|ioni[sz]\w+|react\w+|chemistry|chemical\w*|friction\w*|gravity|lift|drag|base pressure"
    r"|scatter\w*|absor\w+"
    r"|reabsorption|accommodat\w+|insulat\w+|newtonian|impact|one temperature|two-temperature|thermal"
    r"|vacuum|symmetr\w+"
    r"|maxwell\w*|boltzmann|lte|properties|specific heats?|vibrat\w+|rotat\w+|electronic"
    r"|relax\w+|molecules?"
    r"|atoms?|shadow\w*|windward|incidence|spherical|hemispher\w*",
    "层流|湍流|转捩|稳态|定常|准定常|无粘|绝热|等温|等熵|冻结|平衡|完全气体|理想气体|量热|连续介质|连续流|稀薄|自由分子|滑移"
    "|高超声速|超声速|亚声速|可压缩|灰体|黑体|漫射|漫反射|不透明|光学|催化|常物性|常数|均匀|一维|轴对称|半无限|附着|冷壁"
    "|压力梯度|细长|钝体|牛顿|碰撞|化学反应|摩擦|辐射|导热|对流|烧蚀|解离|电离|振动|马赫|努森|雷诺|温度",
)
"""What an engineering assumption can be about: regimes, idealisations, and the effects that are left out."""

REGIME = any_of(
    r"laminar|turbulent|transitional|(?:quasi-?)?steady|unsteady|inviscid|adiabatic|isothermal|isentropic"
    r"|frozen"
    r"|(?:non-?)?equilibrium|(?:perfect|ideal)[ -]gas|calorically|\w+-limited|continuum|rarefied"
    r"|free[- ]molecul\w+|collisionless"
    r"|slip|hypersonic|supersonic|subsonic|(?:in)?compressible|gr[ea]y|black(?:body)?|diffuse|opaque"
    r"|transparent"
    r"|optically|(?:non-?)?catalytic|uniform|homogeneous|one-dimensional|1-?d|axisymmetric|lumped"
    r"|semi-?infinite"
    r"|attached|detached|cold[- ]wall|(?:wall|surface) is cold|undissociated|no-?slip|pressure gradient"
    r"|slender|blunt"
    r"|dilute|strong|weak|newtonian|impact theory|two-temperature|insulated|linear"
    r"|(?:one|a|single) (?:single |common )?temperature|thermal equilibrium"
    r"|negligible",
    "层流|湍流|稳态|定常|无粘|绝热|等温|等熵|冻结|平衡|完全气体|理想气体|连续|稀薄|自由分子|滑移|高超声速|灰体|黑体|漫射"
    "|光学薄|光学厚|催化|常物性|均匀|冷壁|附着",
)
"""Words that alone name a regime or an idealisation."""

USES = re.compile(
    r"\b(?:can|may|could|shall|will|to) (?:safely |well )?(?:be )?(?:used?|appl(?:y|ied)|chosen?|choose)\b"
    r"|\b(?:is|are|was) (?:used|applied|chosen)\b|\b(?:we|i) (?:use|apply|choose|chose|used|applied)\b",
    re.IGNORECASE,
)
"""Saying that a relation is used."""

OPERATES = re.compile(
    r"\b(?:roots?|logarithm|ratio|product|sum|power|mean|inverse|difference|square)\b[^.;]{0,60}\btaken\b",
    re.IGNORECASE,
)
"""Arithmetic that says "taken": "the square root is taken" supposes nothing."""

GIVES_REASON_NEXT = re.compile(
    r"^\W*(?:because|since|this|that|these|both|it|the (?:reason|justification)|reason|justif\w+|indeed"
    r"|after all)\b",
    re.IGNORECASE,
)
IS_MET = re.compile(
    r"\b(?:enough|for (?:that|this|it)|holds?|met|satisfied|valid|appl(?:y|ies)|fine)\b", re.IGNORECASE
)
FOLLOWS = re.compile(r"^\W*(?:so|hence|thus|therefore|that is why|which)\b|^[^:]{0,12};", re.IGNORECASE)
IS_REGIME = re.compile(
    r"\b(?:is|are|stays?|remains?|be|was|were|hence|so|therefore|thus|as|means|puts?|places?|makes?|in"
    r"|within|speaks? of|deals? with|faces?)"
    rf"[: ]+(?:[\w-]+ ){{0,4}}?(?:{REGIME.pattern})",
    re.IGNORECASE,
)
STATES_CAUSE = re.compile(r"\b(?:because|since|as (?:the|it|no|there)|given (?:the|that))\b", re.IGNORECASE)
GIVES_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|as (?:the|it|no|there))(?: [\w.,-]+){4}", re.IGNORECASE
)
EXPLAINS = re.compile(
    r"\b(?:because|since|so|hence|therefore|thus|due to|owing to|given (?:the|that|this|these|such|how|its)"
    r"|seeing that|in view of|thanks to|(?:that|this|which)(?:'s| is) why)\b|因为|由于|因此",
    re.IGNORECASE,
)
DECLARES = re.compile(
    r"\b(?:we|i) (?:have )?(?:also )?(?:assumed?|neglect(?:ed)?|treat(?:ed)?|took|take|ignored?|left out"
    r"|leave out)\b"
    r"|\b(?:we|i)(?:'re|'m| are| am) (?:assum|neglect|treat|tak|ignor|lean|rely|consider)\w*"
    r"|\b(?:is|are|was|were|been) (?:assumed|neglected|ignored|treated|taken|left out)\b|假设|假定|忽略",
    re.IGNORECASE,
)
STATED = re.compile(
    rf"(?:{REGIME.pattern})[^=]{{0,60}}[(, ](?:as )?(?:given|stated|specified|told"
    rf"|prescribed"
    rf"|the statement)\b",
    re.IGNORECASE,
)
ATTRIBUTE = re.compile(
    rf"^\W*[A-Za-z][A-Za-z ]{{2,25}}: ?(?:[\w-]+ ){{0,2}}(?:{REGIME.pattern})", re.IGNORECASE
)
HAN_REGIME = re.compile(
    "层流|湍流|冷壁|稳态|绝热|连续|灰体|黑体|漫射|真空|均匀|冻结|平衡|理想气体|忽略|远小于|远大于|很窄|很小"
)
EXPRESSION = re.compile(r"= *[A-Za-z(]|\d *= |[*^]|(?<=\w)/")
HELD = re.compile(
    r"\b(?:with|at|for|and|using|assuming) (?:an? |the )?(?:[\w_]+ ){0,2}?(?:being |held |kept |taken |as )?"
    r"(?:constant|uniform|frozen|adiabatic|isothermal|inviscid|steady|perfect[- ]gas)\b",
    re.IGNORECASE,
)
BRACKETED = re.compile(r"\(([^()]{8,})\)")
FITS = re.compile(
    rf"{VALIDITY.pattern}|{CAUSAL.pattern}"
    r"|\b(?:inside|below|above|beyond|under|over|than)\b[^;]{0,20}\d",
    re.IGNORECASE,
)
OUTWEIGHS = re.compile(
    r"\b(?:much|far|vastly) (?:\w+er|more|less)\b|\boutweigh|\bdwarf|\bovershadow|<<|>>"
    r"|\b(?:small|large|tiny|little) (?:against|beside|compared|next to)\b",
    re.IGNORECASE,
)
NEVER = re.compile(
    r"\b(?:never|nothing|neither|hardly|scarcely|rarely|barely|no time|no longer)\b", re.IGNORECASE
)
LEAVES_OUT = re.compile(r"\b(?:no|without|zero|free of|nor) [a-z]", re.IGNORECASE)
HOLDS = re.compile(
    r"\b(?:valid\w*|holds?|appl(?:y|ies|icable)|applicability|justif\w+|legitimate"
    r"|(?<!this )regime)\b|适用|成立|有效",
    re.IGNORECASE,
)
