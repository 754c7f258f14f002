"""The words that made-up values are put together from. No value is a fact about the world."""

from typing import Final

from neural_enquirer.synthesis.open.word_lists import listed

__all__ = [
    "ADJECTIVES",
    "CITIES",
    "COMPANY_ENDINGS",
    "COMPANY_WORDS",
    "COUNTRIES",
    "FIRST_NAMES",
    "LAST_NAMES",
    "NOUNS",
    "PLACE_FORMS",
    "PRODUCT_WORDS",
    "STREET_ENDINGS",
    "TEAM_WORDS",
]


FIRST_NAMES: Final = listed(
    "Ada Adam Agnes Ahmed Aisha Akira Alan Alice Amara Amelia Ana Anders Andrea André Anna Anton Arjun "
    "Astrid Ben Björn Carla Carlos Cate Chen Chloé Clara Daniel David Diego Dmitri Elena Elif Emeka "
    "Emil Emma Eric Eva Fatima Felix Fiona Francesca Frank George Gita Grace Hana Hans Hassan Helen "
    "Henry Ian Ida Igor Imani Ines Ivan Jack James Jane Javier Jean-Luc Jenny Jin João John José Julia "
    "Kai Karin Kenji Kofi Lars Laura Lea Leila Leo Li Liam Lina Linh Lucas Lucía Luis Magnus Maja "
    "Marco María Mario Mark Marta Mary Max Mei Mia Michael Mira Mohammed Nadia Naomi Nia Nils Noah "
    "Nora Nuria Olga Oliver Omar Oscar Otto Paolo Paul Pedro Peter Petra Pia Priya Rachel Rafael Ravi "
    "René Rita Robert Rosa Ruth Sam Sanna Sara Selma Siobhán Sofia Stefan Sven Tariq Theo Thomas Tina "
    "Tom Uma Vera Viktor Wei Yara Yuki Yusuf Zara Zoë"
)
LAST_NAMES: Final = listed(
    "Abe Adams Adeyemi Ahmed Allen Almeida Andersson Aoki Baker Banerjee Bauer Becker Bell Berg "
    "Bianchi Black Blom Brown Bruun Campbell Carter Castro Chang Chavez Chen Clark Cohen Cole Costa "
    "Cruz D'Angelo Dahl Davies Delgado Demir Diaz Dubois Duran Eriksen Evans Farah Ferrari Fischer "
    "Fontaine Fournier Fujita García Gomez González Grant Green Gruber Gupta Haddad Hall Hansen Haruki "
    "Hayes Hill Hoffmann Horvat Huang Hughes Ibrahim Ito Ivanov Jackson Jansen Jensen Johnson Jones "
    "Jovanović Kaplan Kaur Kelly Khan Kim King Klein Kowalski Krause Kumar Lambert Lang Larsen Lebedev "
    "Lee Lehmann Lindqvist Lopez Lund MacDonald Maier Mancini Marino Martin Martínez McKay Medina "
    "Mendes Meyer Miller Mitchell Moreau Moretti Morris Müller Murphy Nakamura Nguyen Nielsen Nováková "
    "Nowak Núñez O'Brien O'Neill Okafor Olsen Ortega Osei Parker Patel Perez Petit Petrov Phillips "
    "Popescu Quinn Ramos Reyes Ricci Richter Rivera Roberts Romano Rossi Ruiz Russo Saito Salas "
    "Sanchez Santos Sato Schmidt Schneider Schulz Scott Shah Sharma Silva Singh Smith Søndergaard "
    "Sokolov Stewart Suzuki Tan Tanaka Taylor Thomas Tran Turner Usman Vargas Vasquez Vega Vogel "
    "Wagner Walker Wang Ward Watson Weber White Williams Wilson Wolf Wong Wright Yamamoto Yang Yılmaz "
    "Young Zhang Zimmermann"
)
CITIES: Final = listed(
    "Aarhus|Abuja|Accra|Adelaide|Algiers|Amman|Amsterdam|Ankara|Antwerp|Athens|Atlanta|Auckland|Austin|"
    "Baku|Bangkok|Barcelona|Basel|Beijing|Beirut|Belgrade|Bergen|Berlin|Bern|Bilbao|Birmingham|Bogotá|"
    "Bologna|Bordeaux|Boston|Bratislava|Bremen|Brisbane|Bristol|Brussels|Bucharest|Budapest|"
    "Buenos Aires|Cairo|Calgary|Cape Town|Caracas|Cardiff|Casablanca|Chengdu|Chicago|Cologne|"
    "Copenhagen|Córdoba|Cork|Dakar|Dallas|Delhi|Denver|Detroit|Dhaka|Dresden|Dubai|Dublin|Durban|"
    "Edinburgh|Florence|Frankfurt|Gdańsk|Geneva|Genoa|Ghent|Glasgow|Göteborg|Graz|Guadalajara|Hamburg|"
    "Hanoi|Havana|Helsinki|Ho Chi Minh City|Hong Kong|Houston|Istanbul|Jakarta|Kampala|Karachi|Kigali|"
    "Kraków|Kuala Lumpur|Kyiv|Kyoto|La Paz|Lagos|Lahore|Leeds|Leipzig|Lille|Lima|Lisbon|Liverpool|"
    "Ljubljana|London|Los Angeles|Luanda|Lyon|Madrid|Málaga|Manila|Marseille|Medellín|Melbourne|"
    "Mexico City|Miami|Milan|Minsk|Montevideo|Montréal|Mumbai|Munich|Nairobi|Nantes|Naples|New Orleans|"
    "New York|Nice|Nuremberg|Odesa|Osaka|Oslo|Ottawa|Palermo|Panama City|Paris|Perth|Philadelphia|"
    "Phoenix|Porto|Portland|Prague|Pune|Quito|Reykjavík|Riga|Rio de Janeiro|Rome|Rotterdam|"
    "Saint Petersburg|Salzburg|San Diego|San Francisco|San José|Santiago|São Paulo|Sarajevo|Seattle|"
    "Seoul|Seville|Shanghai|Singapore|Skopje|Sofia|St. Gallen|St. Louis|Stockholm|Strasbourg|Stuttgart|"
    "Sydney|Taipei|Tallinn|Tampere|Tbilisi|Tel Aviv|The Hague|Tirana|Tokyo|Toronto|Toulouse|Trieste|"
    "Tunis|Turin|Uppsala|Utrecht|Valencia|Vancouver|Venice|Verona|Vienna|Vilnius|Warsaw|"
    "Washington, D.C.|Wellington|Winnipeg|Yerevan|Zagreb|Zaragoza|Zürich",
    "|",
)
COUNTRIES: Final = listed(
    "Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahrain|Bangladesh|"
    "Belgium|Belize|Benin|Bhutan|Bolivia|Bosnia and Herzegovina|Botswana|Brazil|Bulgaria|Burkina Faso|"
    "Cambodia|Cameroon|Canada|Cape Verde|Chad|Chile|China|Colombia|Costa Rica|Croatia|Cuba|Cyprus|"
    "Czech Republic|Côte d'Ivoire|Denmark|Dominican Republic|Ecuador|Egypt|El Salvador|Estonia|"
    "Ethiopia|Fiji|Finland|France|Gabon|Georgia|Germany|Ghana|Greece|Guatemala|Guinea|Haiti|Honduras|"
    "Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Jordan|Kazakhstan|"
    "Kenya|Kuwait|Laos|Latvia|Lebanon|Liberia|Libya|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|"
    "Mali|Malta|Mauritius|Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Namibia|Nepal|"
    "Netherlands|New Zealand|Nicaragua|Niger|Nigeria|North Macedonia|Norway|Oman|Pakistan|Panama|"
    "Papua New Guinea|Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|Rwanda|Samoa|San Marino|"
    "Saudi Arabia|Senegal|Serbia|Seychelles|Sierra Leone|Slovakia|Slovenia|Somalia|South Africa|"
    "South Korea|Spain|Sri Lanka|Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Togo|"
    "Tonga|Trinidad and Tobago|Tunisia|Turkey|U.S.|UAE|UK|USA|Uganda|Ukraine|United Kingdom|"
    "United States|Uruguay|Uzbekistan|Vanuatu|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe",
    "|",
)
ADJECTIVES: Final = listed(
    "Amber Ancient Bitter Blue Bold Brave Bright Broken Burning Calm Clever Crimson Crystal Dark "
    "Distant Eastern Electric Emerald Endless Eternal Fallen Final Forgotten Frozen Gentle Giant "
    "Golden Grand Gray Green Happy Hidden Hollow Holy Howling Humble Hungry Infinite Iron Jolly Last "
    "Little Lonely Lost Lucky Mad Magic Midnight Misty Modern Northern Old Pale Perfect Proud Purple "
    "Quiet Rapid Red Restless Royal Rusty Sacred Savage Second Secret Shining Silent Silver Sleeping "
    "Small Smart Southern Stolen Strange Summer Sunny Swift Tiny True Twisted Unknown Velvet Violet "
    "Wandering Western White Wicked Wild Winter Wise Young"
)
NOUNS: Final = listed(
    "Anchor Angel Arrow Ash Autumn Badger Beacon Bear Bell Bird Bishop Blossom Bone Bridge Brother "
    "Butterfly Canyon Castle Cathedral Cave Circle Cloud Comet Copper Coral Crane Crow Crown Crystal "
    "Dance Daughter Dawn Desert Diamond Dragon Dream Eagle Echo Ember Empire Engine Falcon Father "
    "Feather Field Fire Flame Flower Forest Fox Garden Ghost Giant Glass Guardian Harbor Harvest Hawk "
    "Heart Hill Hope Horizon Horse House Hunter Island Journey Kingdom Knight Lantern Leaf Legend "
    "Light Lion Machine Maple Meadow Memory Mirror Moon Mountain Night Oak Ocean Orchard Otter Owl "
    "Palace Paradise Path Pearl Phoenix Pine Planet Prince Promise Queen Rain Raven River Road Rose "
    "Ruby Sea Shadow Ship Shore Sister Sky Snow Song Spear Spirit Spring Star Stone Storm Stranger Sun "
    "Sword Temple Thorn Thunder Tiger Tower Traveler Tree Valley Voyage Wall Water Wave Whale Whisper "
    "Willow Wind Window Wing Wolf Wood"
)
COMPANY_WORDS: Final = listed(
    "Acme Aero Agri Alpha Apex Arc Astra Atlas Aurora Beta Blue Bright Cape Cedar Cobalt Core Delta "
    "Digi East Eco Edge Ever Fast Flex Forge Fusion Gamma Geo Globe Grid Hydro Hyper Inno Iron Key "
    "Luma Macro Meta Metro Micro Nano Nexa Nord North Nova Omni Open Opti Orbit Peak Pixel Poly Prime "
    "Pro Pulse Quant Quick Rapid Sol South Spark Star Sun Swift Syn Tech Terra Trans Tri True Ultra "
    "Uni Vast Vertex Vita West Zen"
)
COMPANY_ENDINGS: Final = listed(
    "Inc|Inc.|Ltd|Ltd.|LLC|GmbH|AG|S.A.|Group|Holdings|& Sons|& Co.|Corp|Corporation|Partners|Labs|"
    "Systems|Foods|Motors|Energy|Airlines|Bank|Pharma|Logistics|Media|Industries|Software|Capital|"
    "Brothers|Works|Solutions|Health",
    "|",
)
PLACE_FORMS: Final = listed(
    "Mount {}|Lake {}|{} Tower|{} Bridge|{} Park|{} Castle|{} Hotel|Hotel {}|{} Museum|{} Stadium|"
    "{} Arena|{} Island|{} Hall|{} Palace|{} Valley|{} River|{} Falls|{} Center|{} Building|Fort {}|"
    "Cape {}|{} Dam|{} Airport|{} Station|{} Cathedral|{} Gardens|{} Beach|{} Plaza|Port {}|{} Library|"
    "{} University|University of {}|{} College|{} Theatre|{} Inn|Café {}|{} Canal|{} Bay|{} Peak|"
    "Villa {}|The {}|{} Hills",
    "|",
)
TEAM_WORDS: Final = listed(
    "United City Rovers Rangers Wanderers Athletic FC Tigers Lions Bears Hawks Eagles Sharks Wolves "
    "Bulls Giants Kings Knights Pirates Raiders Saints Stars Storm Thunder Titans Warriors Dynamo "
    "Sporting Olympic Falcons Panthers Dragons Jets Rockets Comets Vikings Spartans Pioneers 04 1860 "
    "Albion"
)
PRODUCT_WORDS: Final = listed(
    "Air Aqua Boost Cargo Classic Comfort Compact Cruiser Deluxe Drive Duo Eco Elite Essential "
    "Explorer Flex Force Go Home Junior Lite Max Mini Mix Neo One Original Outdoor Plus Power Premium "
    "Prime Pro Pure Rapid S Select Smart Solo Sport Studio Super Tour Touch Trail Turbo Ultra Vision X "
    "XL Z"
)
STREET_ENDINGS: Final = listed(
    "Street|St.|Avenue|Ave|Road|Rd|Lane|Drive|Way|Boulevard|Blvd.|Court|Square|Place|Terrace|Row|Hill|Quay",
    "|",
)
