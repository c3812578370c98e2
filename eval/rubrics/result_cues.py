"""Words that show what a sentence makes of a result: that it checks, concludes, advises or compares.

As in `assumption_cues`, English words come first and Chinese ones follow.
"""

from __future__ import annotations

import re

from ansatz.eval.rubrics.assumption_cues import any_of

CHECKS = any_of(
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

STRICT_CHECKS = any_of(
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
    r"|must (?:lie|stay|remain|fall)|in the (?:\w+ )?range"
    r"|recovers?(?! (?:much|most|some|part|half|a ))|reduces? to|tends to"
    r"|back-?substitut\w*|cross-?check\w*|ballpark"
    r"|units? (?:are|work|come|cancel|check|reduce)|dimension\w*"
    r"|lies? (?:between|below|above|within|inside|well)"
    r"|(?:within|inside) (?:\w+ ){0,4}(?:ranges?|limits?|bounds?|band|interval|window|spread|scatter|table"
    r"|fit|validity)|(?:within|inside) \d|possible|impossible|physically|trend"
    r"|closes",
    "检查|校核|验证|合理|量级|一致|不超过|上限|下限|极限|范围|量纲",
)
"""Of those, the ones that make a sentence a check even where it also draws a conclusion."""

VERDICTS = any_of(
    r"sensible|plausib\w*|believable|credible|reasonable|realistic|consistent|in line|in keeping|agree\w*"
    r"|match(?:es|ed)?|fits?|reassuring|comforting|(?<!than )usual(?:ly)?|typical\w*|known to|are known"
    r"|quoted|quotes"
    r"|reported|customary|(?:crude|quick|rough|second|simple) estimate|estimates (?:at|of|for)"
    r"|compared?(?: with)?|for comparison|in familiar|to spare|the input|the same"
    r"|(?:and|as) (?:it |they )?(?:does|do|is|are|has)(?=[.,;]|$)|it (?:does|is|has)(?=[.,;]|$)"
    r"|not reached|satisfied"
    r"|respect(?:ed)?"
    r"|as (?:it|they|one|any|each|an?|the)\b[^.;]{0,40}?(?:must|should|ought|requires?|demands?|wants?"
    r"|ha(?:s|ve) to)"
    r"|what (?:one|we|you) (?:should|would) \w+|required of"
    r"|ha(?:s|ve|d) to (?:be|lie|come|lower|stay|fall|rise|exceed)|ought to|can only add"
    r"|must (?:come|lie|lower|stay|fall|exceed|add|be (?:less|more|below|above|between|smaller|larger"
    r"|exactly|pos))"
    r"|limits?(?! of (?:use|strength))|bounds?"
    r"|(?:lies?|is|are|stays?|being) (?:below|above|between)|orders? of magnitude"
    r"|magnitudes?"
    r"|fulfilled|(?:half|third|quarter|fifth|tenth|cent|%|fraction|part|most) of it\b"
    r"|fraction of the|if only|tends? to|recovers?(?! (?:much|most|some|part|half|a ))|reduces to|returns"
    r"|(?:right|good|fine|ok(?:ay)?)(?=[.,;]|$)",
    r"(?:^|[,;:] ?)(?:[\w'-]+ ){0,6}would (?:give|get|have|multiply|exchange|take|return|double|halve"
    r"|trade)\b",
    "合理|一致|符合|典型|应当|极限|量级|相符",
)
"""Words of a judgement on whether a value can be right."""

CONCLUDES = any_of(
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

COMPARES = any_of(
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

ADVISES = any_of(
    r"do not|don't|keep|pull|plan (?:for|on)|allow for|otherwise|rather than"
    r"|(?:no|little|a) (?:concern|worry)"
    r"|good enough (?:for|to)|not to be|no need|can do without"
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

STATES_MEANING = any_of(
    r"means|mean that|(?:would|will|can|may|could) mean|meaning|impl(?:y|ies|ying)|indicat\w+|suggests?"
    r"|shows?|tells?|requir\w+|needs?"
    r"|in other words|translates?"
    r"|amounts? to|signals?|consequen\w+|in practice|for the design\w*|mak(?:es|ing)",
    "意味着|说明|表明|需要|要求",
)

WORKS_OUT = any_of(
    r"substitut\w+|insert\w*|plug\w*|evaluat\w+|comput\w+|calculat\w+|rearrang\w+|solv(?:e|es|ed|ing)"
    r"|convert\w*|simplif\w+"
    r"|we (?:get|obtain|find|have|use|need|compute|now)|gives?|gave|yields?|is given by|follows from"
    r"|reads?|formula|equations?"
    r"|(?:must|can|has to|have to|to|should) be (?:found|solved|determined|computed|calculated|evaluated)"
    r"|step \d|final answer|denot\w+|defin\w+|symbols?|known|given|let(?:'s)?|first|next|round(?:ed|ing)",
    "代入|计算|求解|可得|得到|公式|已知|换算",
)
"""Words of the working itself."""

SOLVED = re.compile(
    r"\b(?:iterat\w*|converge\w*|fixed[- ]point|bisect\w*|newton'?s? method|newton-raphson|numerically"
    r"|root[- ](?:of (?:the|this) equation|find\w*|search)|solved? (?:together|simultaneously|for)"
    r"|trial and error|by trial)\b|迭代|数值求解",
    re.IGNORECASE,
)
"""Saying that an equation was solved numerically."""

HEDGED = re.compile(r"\b(?:if|unless|had|were|would|without)\b", re.IGNORECASE)

CONNECTS = re.compile(r"\b(?:so|thus|hence|therefore|consequently|accordingly)\b|因此|所以", re.IGNORECASE)
"""Connectives of consequence alone."""
