#include "word_list.hpp"

namespace wordle {
namespace {

// Selected by hand: everyday words, singular where English lets them be.
constexpr std::string_view kText =
    "abbey abode abyss acorn actor adage adult agent aisle alarm album algae alibi alien alley "
    "alloy altar amber angel anger angle ankle annex anvil apple apron arena armor aroma arrow "
    "arson ashes aspen asset atlas attic audio aunts award axiom bacon badge bagel baker banjo "
    "barge baron basil basin basis batch baton bayou beach beard beast beech beets belly bench "
    "berry berth bingo birch birth bison black blade blame blast blaze blend bliss block blood "
    "bloom board boast bones bonus boost booth boots bound boxer brace braid brain brake brand "
    "brass bread break breed brick bride brief brine brink broil brook broom broth brush buddy "
    "buggy bugle bulge bunch bunny burro buyer cabin cable cacao cache cadet camel cameo canal "
    "candy canoe canon caper cards cargo carol carve caste catch cause cedar cello chaff chain "
    "chair chalk champ chant chaos charm chart chase chasm cheek cheer chess chest chick chief "
    "child chili chime china chive choir chord chore chunk churn cider cigar cinch civic claim "
    "clamp clash clasp class cleat clerk click cliff climb cloak clock cloth cloud clove clown "
    "cluck coach coast cobra cocoa colon color colts comet comic comma condo coral couch cough "
    "count coupe court cover crack craft crane crank crash crate crawl craze cream creed creek "
    "crepe crest crime crisp croak crook cross crowd crown crumb crust crypt cubes curry curve "
    "cycle cynic daily dairy daisy dance darts dealt death debit debut decay decoy deity delay "
    "delta denim depot depth derby devil diary digit diner dirge disco ditch ditty diver dodge "
    "dogma doily dough draft drain drama drawl dream dress drift drill drink drive drone drums "
    "dryer duchy dunce dusky duvet dwarf eagle early earth easel ebony edict egret eight elbow "
    "elder elect elite ember enemy enjoy entry envoy epoch equal error essay ether event exile "
    "extra fable facet faith false fancy farce favor feast fence ferry fetch fever fiber field "
    "fiend fifth fifty fight filly filth final finch flair flake flame flank flare flash flask "
    "fleet flesh flint float flock flood floor flora flour fluid flume flute focus folio folly "
    "force forge forum frame fraud freak fresh friar front frost froth frown fruit fudge funny "
    "gable gamma gauge gauze gavel gecko genie genre ghost giant glade gland glare glass glaze "
    "gleam glide globe gloom glory glove glyph gnome golem goose gorge gourd grace grade grain "
    "grant grape graph grasp grass grave gravy great greed green grief grill groan groin groom "
    "grove growl guard guava guess guest guide guild guilt gully gusto habit haiku handy happy "
    "hatch haven havoc hazel heart heath hedge heist hello herbs heron hinge hippo hobby hoist "
    "honey honor horde horse hotel hound house hovel human humor humus hyena hymns icing ideal "
    "idiom igloo image inbox index infix inlet input ivory jelly jetty jewel joint joist joker "
    "judge juice jumbo juror karma kayak kebab khaki knack knave kneel knife knock knoll koala "
    "label labor lager lance lapel lapse large larva laser latch latex laugh layer lease leash "
    "ledge lemon level lever light lilac limbo limit linen liner links llama lobby local lodge "
    "logic lotus lover lunch lunge lyric macho madam magic magma major manor maple march marsh "
    "match mayor medal media melon mercy merit metal meter micro might mimic miner minor mirth "
    "mixer model money month moose moral motel motif motor motto mound mount mouse mouth movie "
    "mulch mural music nacho naval navel nerve nexus niche niece night ninja noise nomad north "
    "notch novel nurse nylon nymph oasis ocean olive omega onion onset opera opium optic orbit "
    "order organ other otter ounce outer ovary oxide ozone pager paint panda panel panic pansy "
    "paper parka party pasta paste patch patio pause peace peach pearl pecan pedal penny perch "
    "peril pesto petal phase phone photo piano piece pilot pinch pitch pixel pizza place plaid "
    "plain plane plank plant plate plaza plumb plume poach point poker polio polka polyp poppy "
    "porch pouch pound power prank prawn press price pride prism privy prize probe prong proof "
    "prose proxy prune psalm pulse pupil puppy purge purse quail quake quart queen query quest "
    "queue quill quilt quirk quota quote rabbi racer radar radio rafts rally ranch range ratio "
    "raven razor reach realm rebel relay relic remix reply resin rhino rhyme rider ridge rifle "
    "right rinse risen rival river roach roast robin robot rodeo rogue roost rotor rouge round "
    "route rower royal ruler rumor saber saint salad salon salsa salty sauce sauna savor scale "
    "scalp scarf scene scent scold scone scoop scope score scorn scout scrap screw scrub sedan "
    "sense serum seven shack shade shaft shake shame shape shard share shark shawl sheep sheet "
    "shelf shell shift shine shirt shock shoes shore shout shrub shrug siege sieve sight sigma "
    "silks siren sixth sixty skate skill skirt skull skunk slate sleep sleet slice slide slope "
    "sloth smack smell smile smirk smoke snack snail snake snare sneer snore snout sofas solid "
    "sonar sound south space spade spark spear speck speed spell spice spike spill spine spire "
    "spite split spoke spoon sport spray spree squad squid stack staff stage stair stake stalk "
    "stall stamp stand stare start state steak steam steed steel steep stern stick sting stock "
    "stoke stomp stone stool stoop store stork storm story stove straw strip study stuff stump "
    "style sugar suite sunup surge swamp swarm sweat sweep sweet swing sword syrup table taboo "
    "talon tango taste teeth tempo tenor tenth tepid thank theft theme thick thief thigh thing "
    "third thorn throb throw thumb thump thyme tiara tiger tilde title toast today token tonic "
    "tooth topaz topic torch torso total totem touch tower toxin trace track trade trail train "
    "trait tramp trash trawl treat trend trial tribe trick troll troop trout truce truck trump "
    "trunk trust truth tulip tummy tumor tuner tunic tutor twang tweed twist udder ulcer uncle "
    "union unity usher vague valet valor value valve vapor vault venom venue verse video vigor "
    "villa vinyl viola viper virus visit visor vista vocal vodka vogue voice voter vowel wafer "
    "wagon waist waltz waste watch water weave wedge whale wharf wheat wheel whiff whirl widow "
    "width winch witch woman world worry worth wound wrath wreck wrist yacht yeast yield yodel "
    "young youth zebra ";

constexpr WordList kWords{kText};

}  // namespace

const WordList& secret_words() noexcept {
    return kWords;
}

}  // namespace wordle
