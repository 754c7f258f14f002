"""Ordinary nouns for fields that belong to no family: only their letters link them to the table."""

import functools
from typing import Final

from neural_enquirer.synthesis.open.families import FAMILIES
from neural_enquirer.synthesis.open.headers import stem
from neural_enquirer.synthesis.open.makers import pool, split_of_text
from neural_enquirer.synthesis.open.vocabulary import family_texts, phrase_words
from neural_enquirer.synthesis.open.word_lists import listed

__all__ = ["field_words"]

_NOUNS: Final = listed(
    "abacus acorn alcove alloy almanac ambit anvil apron arbor atoll aura axle badge balcony ballast "
    "bamboo banner barrel basin basket beacon bellows berth billet blanket bobbin bonnet bracket "
    "bramble brisk buckle buffer bulwark bundle buoy burrow cable cactus calyx candle canopy canvas "
    "capsule caravan cargo carton cascade casket cavern cellar chalice chapel charter chassis chisel "
    "cipher circuit clamp cleat cloister clutch cocoon coil collar column compass console cordon "
    "cornice corridor cradle crater creed crest crucible cubicle current cushion dagger damper decoy "
    "deposit derrick dial docket dossier dowel drawer drum dune dynamo easel eddy effigy elbow enamel "
    "envelope epoch facet fathom fender fern ferry fiber filter flange flask fleece flint fluke flute "
    "foil fold fountain fragment fulcrum funnel furrow gable galaxy gallery gambit garland gauge "
    "gazette gimbal girder glacier glyph goblet granule grapple gravel grotto gully hammock hamper "
    "hangar harness hatch hearth hedge helix helm hinge hoist hollow hull icicle indent ingot inlet "
    "isthmus ivory jacket jetty jigsaw kernel kettle kiln knoll label lagoon lancet latch lattice "
    "ledger lever lichen lintel locket loom lumen magnet mallet mandate mantle marble margin mast "
    "matrix membrane mesh mosaic motif mould muffler mural nectar niche nimbus node nozzle nugget oasis "
    "oblong octave offset omen orbit oxide paddle palette pallet panel parapet parcel pedal pedestal "
    "pellet pendant pennant pigment pillar pivot plank plateau plinth plume pocket podium pontoon "
    "portal postern prism prong pulley quarry quarto quill quiver quota rafter ramp ratchet ravine reed "
    "reef relay relic ribbon ridge rivet rotor rudder saddle sash satchel scaffold sceptre scroll seam "
    "sentry shackle shard sheath shelf shutter silo siphon sleeve sluice socket solvent spindle spiral "
    "splint spool sprig sprocket stanza steeple stencil strand stylus summit swivel tablet talon "
    "tangent tassel tendril tether thicket thimble thistle tiller timber token torrent tract trellis "
    "trench tripod trough truss tunic turret valve vane vault veneer vessel vial visor vortex wedge "
    "wharf wicket willow winch yoke zenith zephyr "
)


@functools.cache
def field_words(split: str) -> tuple[str, ...]:
    """Words for headers, of which no two splits share one: English nouns and made-up words."""
    held_out = (text for family in FAMILIES if family.held_out for text in family_texts(family))
    known = {stem(word) for word in (*phrase_words(), *" ".join(held_out).lower().split())}
    nouns = [word for word in _NOUNS if split_of_text(word) == split and stem(word) not in known]
    made_up = [word for word in pool("word", split) if stem(word) not in known]
    # Training meets thousands of made-up words: few seen often would be learned by heart.
    repeats = max(1, len(made_up) // (3 * len(nouns)))
    return (*nouns * repeats, *made_up)
