"""Words that show what a sentence does: suppose, give a reason, check, or draw a conclusion.

The lists follow the ways in which English (and, more briefly, Chinese) marks these acts: verbs of supposing
and leaving out, predicates of validity, causal and comparative connectives, modals of need and ability.
"""

from __future__ import annotations

import re


def _any(*parts: str) -> re.Pattern[str]:
    """English words as a whole, then Chinese ones anywhere."""
    english, *chinese = parts
    return re.compile("|".join([rf"\b(?:{english})\b", *chinese]), re.IGNORECASE)


SUPPOSES = _any(
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
    r"|does not matter"
    r"|(?:constant|fixed|uniform|frozen) throughout",
    "假设|假定|忽略|不计|视为|看作|近似为|当作|认为|取为|可按",
)
"""Verbs by which something is taken for granted or left out of account."""

VALIDITY = _any(
    r"fine (?:up to|for|here|below|above|at|as)|swamps?|small against|needs? a|presuppos\w*|valid\w*"
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

BECAUSE = _any(
    r"(?:the )?(?:problem|statement|question|task)|as (?:given|instructed|stated|told)"
    r"|past|short of|against|i\.e|asks?|wants?|requires?|after|far too|nothing|only|no \w+ to speak of"
    r"|because|since|as (?:the|no|it|there|both|all|its|we)|due to|owing to|on account of|so"
    r"|so that|therefore"
    r"|hence|thus|which|justif\w+|given|for|below|above|exceed\w*|beyond|within|between|far from|compared"
    r"|relative to"
    r"|(?:less|more|greater|smaller|larger|lower|higher|shorter|longer|faster|slower|thinner) than"
    r"|states?|statement|stated"
    r"|says|said|mentioned|allow(?:s|ed)|asked|prescrib\w+|specified|told|tells|enough|too"
    r"|negligible against|(?:at|with|of) (?=[^.;]{0,40}\d)",
    r"[<>≈~]|\([^()]*(?:\d|\b(?:no|not|is|are|only|small|too)\b)",
    "因为|由于|因此|所以|故|远小于|远大于|小于|大于|低于|高于|题目|题中|足够",
)
"""Connectives and comparisons that give an assumption its reason."""

COMPARED = _any(
    r"below|above|exceed\w*|beyond|within|between|under|over|far from|past"
    r"|(?:less|more|greater|smaller|larger|lower|higher) than",
    r"[<>]",
    "远小于|远大于|小于|大于|低于|高于|超过",
)
"""Comparisons of a number that decides on a regime."""

CAUSAL = _any(
    r"because|since|so|therefore|hence|thus|which (?:makes|puts|means|places)|puts|places|due to"
    r"|owing to|as (?:the|no|it|there)",
    r"<<|>>|;",
    "因为|由于|因此|所以|故",
)
"""Connectives of cause alone."""

METHOD = _any(
    r"formula\w*|correlations?|theor(?:y|ies)|relations?|laws?|equations?|models?|expressions?|rules?"
    r"|approach|methods?"
    r"|treatment|analogy|fits?|criteri(?:on|a)|approximations?|picture|solution|estimates?|balance"
    r"|jump conditions?"
    r"|simplification|description|limit|bridge|profile|distribution|statistics|coefficients?|constants?",
    "公式|理论|关系|模型|方法|定律|近似|准则",
)
"""What is chosen or justified in a solution."""

IDEALISED = _any(
    r"laminar|turbulent|transitional|transition|(?:quasi-?)?stead(?:y|ily)|stationary|unsteady|inviscid"
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
"""What an engineering assumption can be about: regimes, idealisations, and the effects that are left"
" out."""

REGIME = _any(
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
    r"|dilute|strong|weak|newtonian|impact theory|two-temperature|one temperature|insulated|linear"
    r"|negligible",
    "层流|湍流|稳态|定常|无粘|绝热|等温|等熵|冻结|平衡|完全气体|理想气体|连续|稀薄|自由分子|滑移|高超声速|灰体|黑体|漫射"
    "|光学薄|光学厚|催化|常物性|均匀|冷壁|附着",
)
"""Words that alone name a regime or an idealisation."""

CHECKS = _any(
    r"ha(?:s|ve) to|(?:smaller|larger|greater|less|lower|higher|more) than|it does|they do|does so|and is"
    r"|compar\w*|well (?:under|below|above|over)|under that|demands?|dictates?|behaves?|symmetr\w*"
    r"|collapses?|brings? back|gives? back|returns?|goes over|estimates?|normal|right|fits?|in keeping"
    r"|in line|sound|familiar|seen|saw|would give|recover\w*|checks?|checked|sanity|plausib\w*"
    r"|reasonabl[ey]|sensible|realistic|credible|believable"
    r"|makes (?:physical )?sense"
    r"|consistent|agree\w*|agreement|match(?:es|ed)?|in line with"
    r"|as (?:expected|required|it (?:must|should|has to))"
    r"|expect\w*|typical\w*|usual\w*|routine\w*|common\w*|comfort\w*|reassur\w*|quoted|reported|customary"
    r"|order of|orders of magnitude|same order|right order|comparable|compares?"
    r"|close to|near(?:ly)?|limit\w*|bound(?:s|ed|ary)?|ceiling|floor|maximum|minimum|cap|cannot|can't"
    r"|never|must|upper"
    r"|lower|between|in the (?:\w+ )?range|within|inside|outside|recovers?|reduces? to|tends? to"
    r"|vanish\w*|back-?substitut\w*"
    r"|(?:put|insert|plug)(?:ting)? (?:\w+ )?back|balance[sd]?|closes|energy|conserv\w+|independent"
    r"|second (?:estimate|route|way)"
    r"|cross-?check\w*|by hand|rough\w*|ballpark|crude|known|published|measured|flight data|literature"
    r"|textbooks?|tables?"
    r"|units?|dimension\w*|carnot|physical\w*|possible|impossible|allowed|exceeds?|beyond|available|sign"
    r"|trend|scal(?:es|ing)",
    "检查|校核|验证|合理|量级|典型|一致|符合|不超过|上限|下限|极限|界限|范围|必须|应当|量纲|单位|预期|可信",
)
"""Words by which a value is measured against what is known or possible."""

STRICT_CHECKS = _any(
    r"checks?|checked|sanity|plausib\w*|reasonabl[ey]|sensible|realistic|credible|believable"
    r"|makes (?:physical )?sense"
    r"|consistent|agree\w*|agreement|match(?:es|ed)?|in line with"
    r"|as (?:expected|required|it (?:must|should|has to))"
    r"|(?:is|are|be) expected|expected (?:range|value|order|for)|typical\w*|orders? of magnitude"
    r"|same order|right order"
    r"|(?:physical|upper|lower|theoretical|absolute|blackbody|newtonian|energy|carnot|continuum"
    r"|thermodynamic) (?:limits?|bounds?)"
    r"|(?:below|above|under|over|within) (?:the|this|that|its) (?:\w+ )?(?:limits?|bound|ceiling|maximum)"
    r"|limiting (?:case|value)|bounds?|bounded|ceiling|maximum|minimum"
    r"|cannot (?:exceed|be (?:above|below|more|less|larger)|fall|rise)|can never"
    r"|must (?:lie|stay|remain|fall)|in the (?:\w+ )?range|recovers?|reduces? to|tends to"
    r"|back-?substitut\w*|cross-?check\w*|ballpark"
    r"|units? (?:are|work|come|cancel|check|reduce)|dimension\w*"
    r"|lies? (?:between|below|above|within|inside|well)"
    r"|(?:within|inside) (?:the|its|their|these|those|this|that|\d)|possible|impossible|physically|trend"
    r"|closes",
    "检查|校核|验证|合理|量级|一致|不超过|上限|下限|极限|范围|量纲",
)
"""Of those, the ones that make a sentence a check even where it also draws a conclusion."""

VERDICTS = _any(
    r"sensible|plausib\w*|believable|credible|reasonable|realistic|consistent|in line|in keeping|agree\w*"
    r"|match(?:es|ed)?|fits?|reassuring|comforting|(?<!than )usual(?:ly)?|typical\w*|known to|are known"
    r"|quoted|quotes"
    r"|reported|customary|(?:crude|quick|rough|second|simple) estimate|estimates (?:at|of|for)"
    r"|compared?(?: with)?|for comparison|in familiar|to spare|the input|the same"
    r"|(?:and|as) (?:it |they )?(?:does|do|is|are|has)(?=[.,;]|$)|it (?:does|is|has)|not reached|satisfied"
    r"|respect(?:ed)?"
    r"|as (?:it|they|one|any|each|an?|the)\b[^.;]{0,40}?(?:must|should|ought|requires?|demands?|wants?"
    r"|ha(?:s|ve) to)"
    r"|what (?:one|we|you) (?:should|would) \w+|required of"
    r"|ha(?:s|ve|d) to (?:be|lie|come|lower|stay|fall|rise|exceed)|ought to|can only add"
    r"|must (?:come|lie|lower|stay|fall|exceed|add|be (?:less|more|below|above|between|smaller|larger"
    r"|exactly|pos))"
    r"|limits?|bounds?|(?:lies?|is|are|stays?|being) (?:below|above|between)|orders? of magnitude"
    r"|magnitudes?"
    r"|of it\b|fraction of the|if only|tends? to|recovers?|reduces to|returns"
    r"|(?:right|good|fine|ok(?:ay)?)(?=[.,;]|$)",
    r"(?:^|[,;:] ?)(?:[\w'-]+ ){0,6}would (?:give|get|have|multiply|exchange|take|return|double|halve"
    r"|trade)\b",
    "合理|一致|符合|典型|应当|极限|量级|相符",
)
"""Words of a judgement on whether a value can be right."""

CONCLUDES = _any(
    r"out of the question|no option|hopeless|unusable|feasible|viable|candidate|option|as much as|takes?"
    r"|calls|trusted|take over|so|therefore|hence|thus|consequen\w+|accordingly|means|mean that"
    r"|(?:would|will|can|may|could) mean|meaning|meant"
    r"|impl(?:y|ies|ying)|indicat\w+"
    r"|suggests?|shows?"
    r"|tells?|signals?|signif(?:y|ies)|points? to|translates?|amounts? to|correspond\w*|equivalent"
    r"|equals? roughly|represents?"
    r"|need(?:s|ed|ing)?|requir\w+|must|should|ought|ha(?:s|ve|d) to|demands?|calls? for|choose|select"
    r"|pick|avoid\w*"
    r"|recommend\w*|prefer\w*|worth\w*|enough|suffic\w+|can(?:not)?|can't|could|would|will|may|might"
    r"|surviv\w+|withst\w+"
    r"|tolerat\w+|manageable|acceptable|safe\w*|risk\w*|danger\w*|allows?|permits?|rules? out"
    r"|limit(?:s|ing)?|dominat\w*"
    r"|govern\w*|controls?|driv(?:es|en|ing)|sets?|decides?|determin\w+|makes?|leads?|causes?|pays?|buys?"
    r"|costs?|saves?"
    r"|rais\w+|reduc\w+|lowers?|cuts?|increas\w+|decreas\w+|grows?|falls?|drops?|loses?|gains?"
    r"|carr(?:y|ies)|feels?|sees?"
    r"|bears?|takes? up|absorbs?|matters?|helps?|hurts?|mislead\w*"
    r"|(?:over|under)(?:predict|estimat|stat|siz)\w*|leaves?"
    r"|forces?|enables?|prevents?|keeps?|protects?|explains?|why|reason|effect|impact|advantage|penalty"
    r"|price|benefit|lesson"
    r"|budget|margin|siz(?:e|ed|ing)|design\w*|choice|engineers?|practice|practical\w*|useful|useless"
    r"|expect|in other words"
    r"|put differently|that is",
    "意味着|说明|表明|因此|所以|可见|需要|必须|应|不能|可以|足以|决定|导致|占主导|影响|要求|会",
)
"""Words by which something follows from a result: consequence, need, ability, influence, advice."""

COMPARES = _any(
    r"compar\w+|than|exceed\w*|below|above|beyond|limits?|margin|times|fold|twice|thrice|double|triple"
    r"|half|halves|third|quarter"
    r"|tenth|percent|fraction|share|order of|orders of|typical\w*|high(?:er)?|low(?:er)?|large\w*"
    r"|small\w*|big\w*|tiny|huge|mild"
    r"|modest\w*|moderate\w*|severe\w*|gentle|benign|harsh|strong\w*|weak\w*|hot(?:ter)?|cold(?:er)?"
    r"|thin\w*|thick\w*|negligible"
    r"|significant\w*|substantial\w*|considerabl[ey]|dominant|minor|major|only|barely|merely|hardly"
    r"|nearly|almost|roughly"
    r"|short\w*|long\w*|fast\w*|slow\w*|quick\w*|like|similar\w*|equivalent|most|much|far|little|few"
    r"|several|many",
    r"\d ?%",
    "相比|高于|低于|大于|小于|倍|约为|接近|超过|较高|较低|很大|很小|显著|主要",
)
"""Words that size a result up against something else."""

ADVISES = _any(
    r"do not|don't|keep|pull|plan (?:for|on)|allow for|otherwise"
    r"|(?:can|could|cannot) (?:not )?(?:bear|stand|endure|take|cope|hold)|need(?:s|ed)?|requir\w+|should"
    r"|ought|demands?|calls? for|choose|select|pick|avoid\w*|recommend\w*"
    r"|prefer\w*|worth\w*"
    r"|suffic\w+|surviv\w+|withst\w+|tolerat\w+|manageable|risk\w*|danger\w*|design\w*|engineers?|budget"
    r"|margin|siz(?:e|ed|ing)"
    r"|(?:must|has to|have to|can|cannot|can't|could|may) (?:not )?(?:be )?[a-z]+ed|mislead\w*"
    r"|(?:over|under)(?:predict|estimat|stat|siz|heat|cool)\w*|in practice",
    "需要|应|必须|建议|设计|不能|可以",
)
"""Words of need, ability and advice."""

STATES_MEANING = _any(
    r"means|mean that|(?:would|will|can|may|could) mean|meaning|impl(?:y|ies|ying)|indicat\w+|suggests?"
    r"|shows?|tells?|requir\w+|needs?"
    r"|in other words|translates?"
    r"|amounts? to|signals?|consequen\w+|in practice|for the design\w*|mak(?:es|ing)",
    "意味着|说明|表明|需要|要求",
)

WORKS_OUT = _any(
    r"substitut\w+|insert\w*|plug\w*|evaluat\w+|comput\w+|calculat\w+|rearrang\w+|solv(?:e|es|ed|ing)"
    r"|convert\w*|simplif\w+"
    r"|we (?:get|obtain|find|have|use|need|compute|now)|gives?|gave|yields?|is given by|follows from"
    r"|reads?|formula|equations?"
    r"|step \d|final answer|denot\w+|defin\w+|symbols?|known|given|let(?:'s)?|first|next|round(?:ed|ing)",
    "代入|计算|求解|可得|得到|公式|已知|换算",
)
"""Words of the working itself."""

HEDGED = re.compile(r"\b(?:if|unless|had|were|would|without)\b", re.IGNORECASE)
