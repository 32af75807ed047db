//! Words of everyday language, as job descriptions of any trade use them: alone they do not tell what a course teaches.

use std::collections::HashSet;
use std::sync::OnceLock;

/// Words whose plain sense is so common that they are never taken for a term where they stand alone, not even among terms:
/// `expert in Python`, `early-stage startup`, `ring the bell`.
const PLAIN: &str = "
accumulation activation actor backward broadcast chunk combine decode dispatch drop dynamic elastic expert exposed flush
forward full global headroom host layer ledger local mesh moment nickel node off on online partial partition pipe pipeline
placement policy position profile rail rank residual ring rocky rollout router sequence server simple slice spine stage
stale step stream streaming stripe striped timeline token tree unit warm
";

/// Words that count only among terms of the course, and words that are no terms at all.
const COMMON: &str = "
a able about above across act active activity actual add advance after again against all also always among amount an and
another any anything apart appear apply area around as ask at attention auto available average away axis back balance
balanced band bar base basic batch be because become been before begin behind being below benefit best better between
beyond big bind bit block board body book both bottom bound box brain branch break bring broad bubble bucket budget build
burst bus business busy but buy by cache call can capacity care carry case cause cell centre center chain chance change
channel charge check checkpoint choice circle claim clean clear client clip close cloud cluster code collective collect
column come common communication communicator community company compare complete compress compute computing condition
connect connection constant contact contain content context continue continuous contract control conversion convert cool
copy core cost could count cover create critical cross culture current customer cut cycle daily data date day deal debug
deadlock decide decision deep default degree delay deliver demand depend depth design desk detail develop development
device did difference different direct direction disaggregate discount distance distributed divide do document does domain
done door double down drain draw drive driven driver dual due during duty each early ease easy edge effect effective
efficiency effort either empty enable end energy engine engineer engineering enough ensure enter entire environment equal
error estimate even event ever every example exchange execute expand expect experience experiment expose express extend
extra eye fabric face fact factor fail failure fair fall family far fast fault feature feed feedback few field figure file
fill final find fine finish first fit fix flag flat flexible flight float floor flow fly focus fold folding follow for force
form format found foundation frame framework free freeze frequent fresh from front function further fuse future gain game
gap gate general generate generation get give go goal good great grid ground group grow growth guide had half
hand handle happen happy hard hardware has have he head health hear heart heavy held help hidden hide hierarchical high
hire his hit hold home hook hope horizon hot hour house how hub huge human hybrid idea idle if imbalance impact important
improve in include increase industry influence inform information infrastructure inner input insight inside instance instead
integrate intensity interest interface interleave internal into introduce invest is island issue it item its jam jitter job
join journey just keep key kind know knowledge lab label lag language large last late latency later latest launch law lay
lead leader leadership leaf lean learn learning least leave left length less let level leverage life lift light like likely
limit limited line linear link list listen little live load locate lock log logic long look loop lose loss lot love low
machine made main maintain major make manage manager many map margin mark market marketing mask master match material matter
maximum may mean measure measurement media meet member memory merge message method metric middle might migrate milestone mind
minimum minute miss mission mix mixed mode model modern momentum money monitor month more most motion motivate move much
multi must my name native near necessary need negotiate net network never new next no noise normal not note nothing notice
now number object observe of offer offload office often old once one only open operate operation operator opportunity
optimize option or order ordinary organization other our out outer output outside over overall overlap own pace package page
paid pair paper parallel parameter part particular partner pass passion past path pattern pay peer people per percent perfect
perform performance period person phase pick piece place plan plane platform play please plus point pool port portfolio
positive possible post power practice precision prediction prepare present press pressure price primary principle print
prior priority private problem procedure process produce product production professional proficient profit program progress
project promise promote proof proper propose prospect protect protocol prove provide public pull purpose push put quality
quantity quarter query question queue quick quiet quite quota race raise ramp range rate rather ratio reach read ready real
reason receive recent record recover recovery refer reference refit refine region regular relate relation
relative release relevant rely remain remote remove repeat replica replicate replication report represent request require
research reserve resource respond response responsible rest restart result retain return revenue reverse review reward rich
right rise risk road robust role roll room root rotate round route routine row rule run safe salary sale sales same sample
save scale scaling scan schedule scheme school science scope score script seamless search second section sector see
seek seem select self sell send senior sense sensitive separate serve service serving set setting several shadow shape share
shared sharing shift short should show side sign signal silent similar simulation since single site situation size skill skip
slow small smart smooth snapshot so social software solid solution solve some soon sort sound source space span spare speak
special specific speed split spread stable staff stand standard star start startup state station stay steady still stock stop
store story strategy straight strength stress strong structure student study style subject success such suit summary supply
support sure surface sustain switch synchronous system table take talent talk target task taste teach team technical technique
technology tell tensor term test text than thank that the their them then theory there these they thing think this those
though thought thousand three threshold through throughput time to today together too tool top total touch toward trace track
trade tradition traffic train training transaction transfer transform transition transport travel trend trial trip true trust
try tune turn two type typical under understand unique unite unity until up update upgrade upon use useful user usual
utilization validate value variety various vary vast vendor version very via view virtual visible vision visit vital voice
volume wait waiting walk wall want watch watchdog wave way we weak wealth web week weight welcome well were what when where
whether which while who whole whose why wide will win window wise wish with within without word work worker workflow workload
world worth would write year yes you young your zero
";

/// Whether a word, folded, is never a term where it stands alone.
pub(super) fn is_plain(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| folded(PLAIN)).contains(word)
}

/// Whether a word, folded, is one of everyday language.
pub(super) fn is_everyday(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let is_short = word.chars().count() < 3 || word.bytes().all(|b| b.is_ascii_digit());
    is_short || is_plain(word) || WORDS.get_or_init(|| folded(COMMON)).contains(word)
}

fn folded(words: &'static str) -> HashSet<&'static str> {
    words.split_ascii_whitespace().map(super::singular).collect()
}
