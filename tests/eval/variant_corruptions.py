"""Stories, faithful retellings of each, and edits of the first retelling that each change the problem.

Written before the check was: the second half (HELD_OUT) was never looked at while it was made to work.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Story:
    """`faithful` are retellings; each of `edits` (kind, old, new) spoils the first of them."""

    name: str
    original: str
    faithful: tuple[str, ...]
    edits: tuple[tuple[str, str, str], ...]


DEVELOPMENT = (
    Story(
        "cliff",
        "Leila throws a tennis ball horizontally at v_0 = 12.2 m/s from the edge of Eagle Point, h = 44 m above level ground. Air resistance is negligible and g = 9.8 m/s^2. Find the time of fall t_f and the horizontal distance R to where it lands.",
        (
            "Standing at the edge of a cliff near Kandy, h = 44 m above level ground, Nilmini throws a guava horizontally at v_0 = 12.2 m/s. Neglect air resistance and take g = 9.8 m/s^2. Determine the time of fall t_f and the horizontal distance R to the point where it lands.",
            "From a cliff near Oran that rises h = 44 m above level ground, Karim throws an orange in the horizontal direction with v_0 = 12.2 m/s. There is no air resistance, and g = 9.8 m/s^2. Calculate the time of fall t_f and how far away (R) it lands, measured horizontally.",
        ),
        (
            ("digit", "44 m", "47 m"),
            (
                "swap",
                "h = 44 m above level ground, Nilmini throws a guava horizontally at v_0 = 12.2 m/s",
                "h = 12.2 m above level ground, Nilmini throws a guava horizontally at v_0 = 44 m/s",
            ),
            ("unit", "12.2 m/s", "12.2 km/h"),
            ("direction", "throws a guava horizontally", "throws a guava vertically upwards"),
            ("negation", "Neglect air resistance", "Do not neglect air resistance"),
            (
                "asked",
                "the time of fall t_f and the horizontal distance R to the point where it lands",
                "the time of fall t_f and the speed v_f at the point where it lands",
            ),
            ("dropped", " and take g = 9.8 m/s^2", ""),
        ),
    ),
    Story(
        "braking",
        "Maya drives a delivery van of mass m = 2650 kg along Harbour Street at v_0 = 14.1 m/s and brakes evenly with a = 5.2 m/s^2 until the van stands still. How far does it travel while braking (d), and what is the magnitude of the net force on it (F)?",
        (
            "Wanjiru is driving a bread van of mass m = 2650 kg on the ring road of Kisumu at v_0 = 14.1 m/s. She brakes evenly with a = 5.2 m/s^2 until it stands still. What distance d does it cover while braking, and how large is the magnitude F of the net force on it?",
            "On a street in Hue, Linh drives a minivan (mass m = 2650 kg) at v_0 = 14.1 m/s and then brakes evenly at a = 5.2 m/s^2 until the minivan comes to rest. How far (d) does it travel while braking? What is the magnitude F of the net force?",
        ),
        (
            ("digit", "2650 kg", "2560 kg"),
            ("state", "brakes evenly with a", "speeds up evenly with a"),
            ("unit", "2650 kg", "2650 g"),
            ("unit", "5.2 m/s^2", "5.2 m/s"),
            ("symbol", "of mass m = 2650 kg", "of mass M = 2650 kg"),
            ("added", "until it stands still", "within 3 s until it stands still"),
            (
                "asked",
                "how large is the magnitude F of the net force on it",
                "how large is its kinetic energy F",
            ),
        ),
    ),
    Story(
        "collision",
        "A 1200 kg car moving east at 20 m/s hits a 3500 kg truck at rest. They stick together. What is their common speed after the collision?",
        (
            "In Kumasi, a 1200 kg taxi moving east at 20 m/s hits a 3500 kg maize truck at rest. They stick together. What is their common speed after the collision?",
            "A taxi of 1200 kg is moving east at 20 m/s when it runs into a stationary lorry of 3500 kg, and the two stick together. Find the common speed after the collision.",
        ),
        (
            (
                "swap",
                "a 1200 kg taxi moving east at 20 m/s hits a 3500 kg maize truck",
                "a 3500 kg taxi moving east at 20 m/s hits a 1200 kg maize truck",
            ),
            ("state", "a 3500 kg maize truck at rest", "a 3500 kg maize truck moving west"),
            ("direction", "moving east", "moving west"),
            ("state", "They stick together.", "They bounce apart elastically."),
            ("asked", "common speed after", "common kinetic energy after"),
            ("time", "after the collision", "before the collision"),
        ),
    ),
    Story(
        "police",
        "A car passes Daniel, who sits on a parked motorcycle beside Ridge Road, at a constant v_c = 14.8 m/s. At that moment Daniel starts after it from rest with a constant a = 3.9 m/s^2. After what time t_m does the motorcycle draw level with the car?",
        (
            "At a constant v_c = 14.8 m/s, a car passes Okello, who is sitting on a parked boda-boda next to the Jinja road. At that moment Okello sets off after it from rest with a constant a = 3.9 m/s^2. After what time t_m does the boda-boda draw level with the car?",
            "Somchai sits on a parked motor scooter beside a road in Chiang Mai. A car passes at a constant v_c = 14.8 m/s, and at that moment Somchai starts after it from rest, with a constant a = 3.9 m/s^2. At what time t_m afterwards is the scooter level with the car?",
        ),
        (
            ("state", "from rest with a constant a", "with a running start and a constant a"),
            ("digit", "14.8", "14.3"),
            ("swap", "v_c = 14.8 m/s", "v_c = 3.9 m/s"),
            ("unit", "3.9 m/s^2", "3.9 km/h^2"),
            ("state", "At a constant v_c", "At an increasing v_c"),
            (
                "asked",
                "After what time t_m does the boda-boda draw level with the car",
                "At what distance t_m does the boda-boda draw level with the car",
            ),
        ),
    ),
    Story(
        "pushing",
        "Tom pushes a 25 kg crate with a horizontal force of 120 N across a rough floor. The coefficient of kinetic friction is 0.30. Calculate the acceleration of the crate. Use g = 9.8 m/s^2.",
        (
            "Kofi pushes a 25 kg cocoa crate across a rough floor with a horizontal force of 120 N. The coefficient of kinetic friction is 0.30. Use g = 9.8 m/s^2 and work out the acceleration of the crate.",
            "A crate of kiwifruit (25 kg) is pushed over a rough floor by Aroha, who exerts a horizontal force of 120 N. With a coefficient of kinetic friction of 0.30 and g = 9.8 m/s^2, what is the acceleration of the crate?",
        ),
        (
            ("kind", "kinetic friction", "static friction"),
            ("digit", "0.30", "0.35"),
            ("unit", "120 N", "120 kN"),
            ("surface", "a rough floor", "a frictionless floor"),
            ("direction", "a horizontal force", "a vertical force"),
            (
                "swap",
                "a 25 kg cocoa crate across a rough floor with a horizontal force of 120 N",
                "a 120 kg cocoa crate across a rough floor with a horizontal force of 25 N",
            ),
            ("asked", "work out the acceleration", "work out the weight"),
        ),
    ),
    Story(
        "incline_choice",
        "A hoop and a solid disc of the same mass and radius start from rest together and roll without slipping down a ramp inclined at theta = 17 deg. Which reaches the bottom first?\n\n(A) Both together.\n(B) The solid disc.\n(C) It depends on the angle.\n(D) The hoop.",
        (
            "In the toy museum in Goroka, a hoop and a solid disc of the same mass and radius start from rest together and roll without slipping down a ramp inclined at theta = 17 deg. Which reaches the bottom first?\n\n(A) Both together.\n(B) The solid disc.\n(C) It depends on the angle.\n(D) The hoop.",
            "A solid disc and a hoop, of the same mass and the same radius, start together from rest. They roll without slipping down a ramp inclined at theta = 17 deg. Which of them is first to reach the bottom?\n\n(A) Both together.\n(B) The solid disc.\n(C) It depends on the angle.\n(D) The hoop.",
        ),
        (
            ("options", "(A) Both together.\n(B) The solid disc.", "(A) The solid disc.\n(B) Both together."),
            ("options", "(D) The hoop.", "(D) Neither."),
            ("negation", "roll without slipping", "slide without rolling"),
            ("unit", "17 deg", "17 rad"),
            ("relation", "of the same mass and radius", "of different mass and radius"),
            ("asked", "reaches the bottom first", "reaches the bottom last"),
        ),
    ),
    Story(
        "equation_of_motion",
        "The position of Anna's bicycle is x(t) = 3t^2 - 2t + 1, with x in metres and t in seconds. Find the velocity at t = 4 s.",
        (
            "The position of Selam's bicycle is x(t) = 3t^2 - 2t + 1, with x in metres and t in seconds. Find the velocity at t = 4 s.",
            "For Jiwoo's scooter the position is given by x(t) = 3t^2 - 2t + 1 (x in metres, t in seconds). What is the velocity at t = 4 s?",
        ),
        (
            ("exponent", "3t^2", "3t^3"),
            ("sign", "- 2t", "+ 2t"),
            ("digit", "+ 1,", "+ 7,"),
            ("digit", "t = 4 s", "t = 6 s"),
            ("asked", "Find the velocity", "Find the acceleration"),
            ("unit", "x in metres", "x in kilometres"),
        ),
    ),
    Story(
        "series",
        "Two resistors of 4 ohm and 6 ohm are connected in series to a 12 V battery. Mark measures the current. What current does he read?",
        (
            "Two resistors of 4 ohm and 6 ohm are connected in series to a 12 V battery. Tunde measures the current. What current does he read?",
            "Behnam connects two resistors, 4 ohm and 6 ohm, in series to a battery of 12 V and measures the current. What current does he read?",
        ),
        (
            ("kind", "in series", "in parallel"),
            ("unit", "6 ohm", "6 kohm"),
            ("digit", "12 V", "21 V"),
            ("count", "Two resistors of 4 ohm and 6 ohm", "Three resistors of 4 ohm, 6 ohm and 6 ohm"),
            ("asked", "What current does he read", "What power does he read"),
        ),
    ),
    Story(
        "heating",
        "Emma heats 0.50 kg of water from 20 °C to 80 °C with a 1500 W kettle. The specific heat of water is 4186 J/(kg·K). No heat is lost. How long does it take?",
        (
            "Dewi heats 0.50 kg of water from 20 °C to 80 °C with a 1500 W kettle. The specific heat of water is 4186 J/(kg·K). No heat is lost. How long does it take?",
            "With a kettle of 1500 W, Dewi brings 0.50 kg of water from 20 °C to 80 °C. Water has a specific heat of 4186 J/(kg·K), and no heat is lost. How long does this take?",
        ),
        (
            ("swap", "from 20 °C to 80 °C", "from 80 °C to 20 °C"),
            ("unit", "80 °C", "80 K"),
            ("negation", "No heat is lost", "Half of the heat is lost"),
            ("digit", "4186", "4168"),
            ("unit", "1500 W", "1500 J"),
            ("unit", "4186 J/(kg·K)", "4186 J/(g·K)"),
            ("asked", "How long does it take", "How much energy does it take"),
        ),
    ),
    Story(
        "lens",
        "An object stands 30 cm in front of a converging lens of focal length 10 cm. Sofia looks for the image. Where is it, and is it real or virtual?",
        (
            "An object stands 30 cm in front of a converging lens of focal length 10 cm. Camila looks for the image. Where is it, and is it real or virtual?",
            "A converging lens has a focal length of 10 cm, and an object stands 30 cm in front of it. Camila looks for the image: where is it, and is it real or virtual?",
        ),
        (
            ("kind", "converging lens", "diverging lens"),
            (
                "swap",
                "stands 30 cm in front of a converging lens of focal length 10 cm",
                "stands 10 cm in front of a converging lens of focal length 30 cm",
            ),
            ("unit", "focal length 10 cm", "focal length 10 mm"),
            ("direction", "in front of", "behind"),
            ("asked", "is it real or virtual", "is it upright or inverted"),
        ),
    ),
    Story(
        "at_least",
        "A bridge at Lakeside Park carries at most 2500 kg. How many sacks of 50 kg each can Ben take across on a cart of 180 kg if he weighs 70 kg?",
        (
            "A bridge near Bamenda carries at most 2500 kg. How many sacks of 50 kg each can Achille take across on a cart of 180 kg if he weighs 70 kg?",
            "At most 2500 kg may be on a footbridge near Bamenda. Achille weighs 70 kg and pulls a cart of 180 kg. How many sacks of 50 kg each can he take across?",
        ),
        (
            ("bound", "at most 2500 kg", "at least 2500 kg"),
            ("swap", "on a cart of 180 kg if he weighs 70 kg", "on a cart of 70 kg if he weighs 180 kg"),
            ("dropped", " on a cart of 180 kg", ""),
            ("digit", "sacks of 50 kg", "sacks of 60 kg"),
            ("asked", "How many sacks of 50 kg each", "What mass of sacks of 50 kg each"),
        ),
    ),
    Story(
        "pulley_symbols",
        "In the physics laboratory, a wooden block of mass m_1 = 4.4 kg lies on a level table. A light cord runs from it over a frictionless pulley to a hanging load of mass m_2 = 2.3 kg. The coefficient of kinetic friction on the table is mu_k = 0.35. Find the acceleration a and the tension T of the cord.",
        (
            "In the physics laboratory in Ipoh, a rubberwood block of mass m_1 = 4.4 kg lies on a level table. A light cord runs from it over a frictionless pulley to a hanging load of mass m_2 = 2.3 kg. The coefficient of kinetic friction on the table is mu_k = 0.35. Find the acceleration a and the tension T of the cord.",
            "A rubberwood block of mass m_1 = 4.4 kg lies on a level table in Ipoh; a light cord connects it, over a pulley without friction, to a hanging load with a mass of m_2 = 2.3 kg. On the table the coefficient of kinetic friction is mu_k = 0.35. What are the acceleration a and the tension T of the cord?",
        ),
        (
            (
                "role",
                "block of mass m_1 = 4.4 kg lies on a level table. A light cord runs from it over a frictionless pulley to a hanging load of mass m_2 = 2.3 kg",
                "block of mass m_2 = 2.3 kg lies on a level table. A light cord runs from it over a frictionless pulley to a hanging load of mass m_1 = 4.4 kg",
            ),
            ("swap", "m_1 = 4.4 kg", "m_1 = 2.3 kg"),
            ("negation", "a frictionless pulley", "a pulley with friction"),
            ("state", "A light cord", "A heavy cord"),
            ("surface", "a level table", "a sloping table"),
            ("symbol", "tension T of", "tension F of"),
        ),
    ),
    Story(
        "wave",
        "A wave on Harry's rope has the form y = 0.05 sin(6x - 30t) in SI units. Find its wavelength and its speed.",
        (
            "A wave on Moussa's rope has the form y = 0.05 sin(6x - 30t) in SI units. Find its wavelength and its speed.",
            "The wave on a rope that Moussa shakes follows y = 0.05 sin(6x - 30t), in SI units. What are its wavelength and its speed?",
        ),
        (
            ("formula", "sin(6x - 30t)", "cos(6x - 30t)"),
            ("sign", "6x - 30t", "6x + 30t"),
            ("digit", "0.05", "0.50"),
            ("swap", "6x - 30t", "30x - 6t"),
            ("asked", "its wavelength and its speed", "its frequency and its speed"),
        ),
    ),
    Story(
        "elevator_persons",
        "Anna (mass 60 kg) and Ben (mass 80 kg) stand on ice at rest and push off from each other. Anna moves at 2.0 m/s. How fast does Ben move?",
        (
            "Nayra (mass 60 kg) and Inti (mass 80 kg) stand on ice at rest and push off from each other. Nayra moves at 2.0 m/s. How fast does Inti move?",
            "Two skaters, Nayra (mass 60 kg) and Inti (mass 80 kg), stand at rest on ice and then push off from each other. If Nayra moves at 2.0 m/s, how fast does Inti move?",
        ),
        (
            (
                "role",
                "Nayra moves at 2.0 m/s. How fast does Inti move?",
                "Inti moves at 2.0 m/s. How fast does Nayra move?",
            ),
            ("swap", "Nayra (mass 60 kg) and Inti (mass 80 kg)", "Nayra (mass 80 kg) and Inti (mass 60 kg)"),
            ("state", "at rest", "while gliding"),
            ("asked", "How fast does Inti move", "How far does Inti move"),
            ("unit", "2.0 m/s", "2.0 cm/s"),
            ("digit", "80 kg", "90 kg"),
        ),
    ),
    Story(
        "gas",
        "A cylinder of Jack's compressor holds 2.0 mol of an ideal gas that expands isothermally at 300 K from 0.010 m^3 to 0.030 m^3. How much work does the gas do?",
        (
            "A cylinder of Emre's compressor holds 2.0 mol of an ideal gas that expands isothermally at 300 K from 0.010 m^3 to 0.030 m^3. How much work does the gas do?",
            "In the compressor of Emre's workshop, 2.0 mol of an ideal gas expand isothermally at 300 K from 0.010 m^3 to 0.030 m^3. How much work is done by the gas?",
        ),
        (
            ("kind", "isothermally", "adiabatically"),
            (
                "direction",
                "expands isothermally at 300 K from 0.010 m^3 to 0.030 m^3",
                "is compressed isothermally at 300 K from 0.030 m^3 to 0.010 m^3",
            ),
            ("unit", "300 K", "300 °C"),
            ("unit", "0.030 m^3", "0.030 L"),
            ("digit", "2.0 mol", "3.0 mol"),
            ("kind", "ideal gas", "real gas"),
        ),
    ),
    Story(
        "latex",
        "Rachel's car starts with $v_0 = 5.0\\,\\mathrm{m/s}$ and accelerates at $a = 2.0\\,\\mathrm{m/s^2}$. Use $v^2 = v_0^2 + 2 a x$ to find its speed after $x = 50\\,\\mathrm{m}$.",
        (
            "Rudo's taxi starts with $v_0 = 5.0\\,\\mathrm{m/s}$ and accelerates at $a = 2.0\\,\\mathrm{m/s^2}$. Use $v^2 = v_0^2 + 2 a x$ to find its speed after $x = 50\\,\\mathrm{m}$.",
            "In Mutare, Rudo's taxi starts with $v_0 = 5.0\\,\\mathrm{m/s}$ and accelerates at $a = 2.0\\,\\mathrm{m/s^2}$. What is its speed after $x = 50\\,\\mathrm{m}$? Use $v^2 = v_0^2 + 2 a x$.",
        ),
        (
            ("exponent", "v_0^2 + 2 a x", "v_0^3 + 2 a x"),
            ("sign", "v_0^2 + 2 a x", "v_0^2 - 2 a x"),
            ("unit", "a = 2.0\\,\\mathrm{m/s^2}", "a = 2.0\\,\\mathrm{km/s^2}"),
            ("digit", "x = 50", "x = 80"),
            ("symbol", "$v^2 = v_0^2 + 2 a x$", "$v^2 = v_0^2 + 2 a t$"),
            ("state", "accelerates at", "decelerates at"),
        ),
    ),
    Story(
        "conceptual",
        "Jayne drops a heavy stone and a light stone at the same moment from the Old Bridge. Air resistance can be ignored. Explain which one hits the water first.",
        (
            "From a bridge near Pokhara, Sunita drops a heavy stone and a light stone at the same moment. Air resistance can be ignored. Explain which one hits the water first.",
            "Sunita lets a heavy stone and a light stone fall at the same moment from a bridge near Pokhara. Ignore air resistance. Which one hits the water first? Explain.",
        ),
        (
            ("negation", "Air resistance can be ignored", "Air resistance cannot be ignored"),
            ("negation", "Air resistance can be ignored. ", ""),
            ("time", "at the same moment", "one second apart"),
            ("role", "a heavy stone and a light stone", "two stones of equal mass"),
            ("asked", "which one hits the water first", "which one has more potential energy"),
        ),
    ),
    Story(
        "comparison",
        "On Main Street, a bus travels twice as fast as a bicycle that needs 15 min for 4.5 km. Find the speed of the bus in km/h.",
        (
            "On the main street of Da Nang, a coach travels twice as fast as a bicycle that needs 15 min for 4.5 km. Find the speed of the coach in km/h.",
            "A bicycle needs 15 min for 4.5 km on the main street of Da Nang; a coach goes twice as fast. What is the speed of the coach in km/h?",
        ),
        (
            ("comparison", "twice as fast", "half as fast"),
            ("comparison", "twice as fast", "three times as fast"),
            ("unit", "15 min", "15 s"),
            ("asked", "speed of the coach in km/h", "speed of the bicycle in km/h"),
            ("unit", "in km/h", "in m/s"),
            ("comparison", "twice as fast as", "as fast as"),
        ),
    ),
)

HELD_OUT = (
    Story(
        "seesaw",
        "On a seesaw in the playground, pivoted at its middle, Rosa (mass m_1 = 27 kg) sits d_1 = 1.5 m from the pivot. Where (d_2) must Felix (mass m_2 = 39 kg) sit on the other side to balance it? Take g = 9.8 m/s^2.",
        (
            "On a seesaw in the playground in Puno, pivoted at its middle, Milagros (mass m_1 = 27 kg) sits d_1 = 1.5 m from the pivot. Where (d_2) must Renzo (mass m_2 = 39 kg) sit on the other side to balance it? Take g = 9.8 m/s^2.",
            "Milagros, whose mass is m_1 = 27 kg, sits d_1 = 1.5 m from the pivot of a seesaw in Puno that is pivoted at its middle. Take g = 9.8 m/s^2. At what distance d_2 on the other side must Renzo, with a mass of m_2 = 39 kg, sit to balance it?",
        ),
        (
            ("swap", "m_1 = 27 kg", "m_1 = 39 kg"),
            ("digit", "d_1 = 1.5 m", "d_1 = 1.8 m"),
            ("unit", "d_1 = 1.5 m", "d_1 = 1.5 cm"),
            ("direction", "on the other side", "on the same side"),
            ("dropped", " (mass m_2 = 39 kg)", ""),
            ("added", "pivoted at its middle", "of mass 12 kg and pivoted at its middle"),
        ),
    ),
    Story(
        "river",
        "Sofia steers a motorboat that makes v_b = 4 m/s through still water. The boat is to cross the Green River, w = 62 m wide with a current of v_r = 2.4 m/s, and to land exactly opposite. At what angle theta upstream of the straight line across must it head?",
        (
            "Nour steers a skiff that makes v_b = 4 m/s through still water. The boat is to cross a branch of the Rufiji River, w = 62 m wide with a current of v_r = 2.4 m/s, and to land exactly opposite. At what angle theta upstream of the straight line across must it head?",
            "A branch of the Rufiji River is w = 62 m wide and has a current of v_r = 2.4 m/s. Nour wants to cross it in a skiff that makes v_b = 4 m/s through still water, and to land exactly opposite. What angle theta upstream of the straight line across must the boat head at?",
        ),
        (
            (
                "swap",
                "v_b = 4 m/s through still water. The boat is to cross a branch of the Rufiji River, w = 62 m wide with a current of v_r = 2.4 m/s",
                "v_b = 2.4 m/s through still water. The boat is to cross a branch of the Rufiji River, w = 62 m wide with a current of v_r = 4 m/s",
            ),
            ("direction", "upstream", "downstream"),
            ("unit", "62 m wide", "62 km wide"),
            ("digit", "2.4", "2.9"),
            (
                "role",
                "makes v_b = 4 m/s through still water. The boat is to cross a branch of the Rufiji River, w = 62 m wide with a current of v_r = 2.4 m/s",
                "makes v_r = 2.4 m/s through still water. The boat is to cross a branch of the Rufiji River, w = 62 m wide with a current of v_b = 4 m/s",
            ),
            ("asked", "At what angle theta upstream", "At what speed theta upstream"),
        ),
    ),
    Story(
        "trolleys",
        "Oliver pushes a 3.0 kg cart at 1.2 m/s into a 5.0 kg cart that moves towards it at 0.40 m/s. The collision is perfectly inelastic. Find the final velocity.",
        (
            "Chinedu pushes a 3.0 kg market trolley at 1.2 m/s into a 5.0 kg market trolley that moves towards it at 0.40 m/s. The collision is perfectly inelastic. Find the final velocity.",
            "A 3.0 kg trolley is pushed by Chinedu at 1.2 m/s into another one of 5.0 kg that moves towards it at 0.40 m/s. If the collision is perfectly inelastic, what is the final velocity?",
        ),
        (
            (
                "swap",
                "1.2 m/s into a 5.0 kg market trolley that moves towards it at 0.40 m/s",
                "0.40 m/s into a 5.0 kg market trolley that moves towards it at 1.2 m/s",
            ),
            ("direction", "towards it", "away from it"),
            ("kind", "perfectly inelastic", "perfectly elastic"),
            ("asked", "final velocity", "initial velocity"),
            ("digit", "0.40", "0.04"),
            (
                "swap",
                "a 3.0 kg market trolley at 1.2 m/s into a 5.0 kg",
                "a 5.0 kg market trolley at 1.2 m/s into a 3.0 kg",
            ),
        ),
    ),
    Story(
        "throw_up",
        "Helen throws a baseball straight up at 15 m/s from a height of 2.0 m. Ignoring air resistance, what is the maximum height above the ground?",
        (
            "Elif throws a volleyball straight up at 15 m/s from a height of 2.0 m. Ignoring air resistance, what is the maximum height above the ground?",
            "From a height of 2.0 m, Elif throws a volleyball straight up at 15 m/s. What is its maximum height above the ground, if air resistance is ignored?",
        ),
        (
            ("direction", "straight up", "straight down"),
            ("bound", "maximum height", "minimum height"),
            ("negation", "Ignoring air resistance", "Considering air resistance"),
            ("asked", "the maximum height above the ground", "the maximum speed above the ground"),
            ("sign", "at 15 m/s", "at -15 m/s"),
            ("swap", "at 15 m/s from a height of 2.0 m", "at 2.0 m/s from a height of 15 m"),
        ),
    ),
    Story(
        "capacitor",
        "Tim charges a 10 µF capacitor to 9.0 V and connects it in parallel with an uncharged 20 µF capacitor. What is the final voltage?",
        (
            "Rohan charges a 10 µF capacitor to 9.0 V and connects it in parallel with an uncharged 20 µF capacitor. What is the final voltage?",
            "A 10 µF capacitor is charged to 9.0 V by Rohan, who then connects it in parallel with an uncharged capacitor of 20 µF. Find the final voltage.",
        ),
        (
            ("unit", "20 µF", "20 nF"),
            ("kind", "in parallel", "in series"),
            ("state", "an uncharged 20", "a charged 20"),
            ("asked", "final voltage", "final charge"),
            (
                "swap",
                "a 10 µF capacitor to 9.0 V and connects it in parallel with an uncharged 20 µF",
                "a 20 µF capacitor to 9.0 V and connects it in parallel with an uncharged 10 µF",
            ),
            ("digit", "9.0 V", "6.0 V"),
        ),
    ),
    Story(
        "insulation",
        "The wall of Liam's house has an area of 24 m^2 and a thickness of 0.20 m. Its thermal conductivity is 0.60 W/(m·K), and it is 21 °C inside and -4 °C outside. How much heat flows through it per second?",
        (
            "The wall of Bataar's house in Ulaanbaatar has an area of 24 m^2 and a thickness of 0.20 m. Its thermal conductivity is 0.60 W/(m·K), and it is 21 °C inside and -4 °C outside. How much heat flows through it per second?",
            "In Ulaanbaatar it is 21 °C inside Bataar's house and -4 °C outside. A wall with an area of 24 m^2 and a thickness of 0.20 m has a thermal conductivity of 0.60 W/(m·K). How much heat flows through it each second?",
        ),
        (
            ("sign", "-4 °C", "4 °C"),
            ("swap", "21 °C inside and -4 °C outside", "-4 °C inside and 21 °C outside"),
            ("unit", "24 m^2", "24 cm^2"),
            ("unit", "0.60 W/(m·K)", "0.60 W/(m^2·K)"),
            ("dropped", " and a thickness of 0.20 m", ""),
            ("asked", "per second", "per hour"),
        ),
    ),
    Story(
        "doppler",
        "A fire engine with a siren of 700 Hz drives towards Lucy at 25 m/s. The speed of sound is 340 m/s. What frequency does Lucy hear?",
        (
            "A fire engine with a siren of 700 Hz drives towards Mele at 25 m/s. The speed of sound is 340 m/s. What frequency does Mele hear?",
            "Mele hears the 700 Hz siren of a fire engine that drives towards her at 25 m/s. With a speed of sound of 340 m/s, what frequency does she hear?",
        ),
        (
            ("direction", "towards Mele", "away from Mele"),
            ("unit", "700 Hz", "700 kHz"),
            ("digit", "340", "430"),
            ("asked", "What frequency does Mele hear", "What wavelength does Mele hear"),
            ("swap", "at 25 m/s. The speed of sound is 340 m/s", "at 340 m/s. The speed of sound is 25 m/s"),
        ),
    ),
    Story(
        "decay",
        "A sample in Paris has an activity of 8.0e4 Bq and a half-life of 5.3 years. Marie waits 15.9 years. What activity is left?",
        (
            "A sample in Rosario has an activity of 8.0e4 Bq and a half-life of 5.3 years. Martina waits 15.9 years. What activity is left?",
            "In Rosario, Martina has a sample with a half-life of 5.3 years and an activity of 8.0e4 Bq. What activity is left after she has waited 15.9 years?",
        ),
        (
            ("exponent", "8.0e4", "8.0e5"),
            ("unit", "5.3 years", "5.3 days"),
            (
                "swap",
                "a half-life of 5.3 years. Martina waits 15.9 years",
                "a half-life of 15.9 years. Martina waits 5.3 years",
            ),
            ("asked", "What activity is left", "What mass is left"),
            ("digit", "15.9", "19.5"),
        ),
    ),
    Story(
        "graph_choice",
        "Kate's train slows down evenly. Which is true?\n\n(A) Its velocity and acceleration have the same direction.\n(B) Its velocity and acceleration have opposite directions.\n(C) Its acceleration is zero.",
        (
            "Kagiso's train slows down evenly. Which is true?\n\n(A) Its velocity and acceleration have the same direction.\n(B) Its velocity and acceleration have opposite directions.\n(C) Its acceleration is zero.",
            "Near Maun, the train that Kagiso is on slows down evenly. Which is true?\n\n(A) Its velocity and acceleration have the same direction.\n(B) Its velocity and acceleration have opposite directions.\n(C) Its acceleration is zero.",
        ),
        (
            ("state", "slows down", "speeds up"),
            ("negation", "Which is true?", "Which is not true?"),
            (
                "options",
                "(B) Its velocity and acceleration have opposite directions.\n(C) Its acceleration is zero.",
                "(B) Its acceleration is zero.\n(C) Its velocity and acceleration have opposite directions.",
            ),
            ("options", "(C) Its acceleration is zero.", "(C) Its acceleration is not zero."),
            ("options", "\n(C) Its acceleration is zero.", ""),
            ("negation", "Which is true?", "Which is false?"),
        ),
    ),
    Story(
        "spring",
        "Paul hangs a 0.40 kg mass on a spring with k = 50 N/m and pulls it 3.0 cm below equilibrium. Find the period T and the maximum speed.",
        (
            "Sione hangs a 0.40 kg mass on a spring with k = 50 N/m and pulls it 3.0 cm below equilibrium. Find the period T and the maximum speed.",
            "A 0.40 kg mass hangs on a spring with k = 50 N/m. Sione pulls it 3.0 cm below equilibrium. Determine the maximum speed and the period T.",
        ),
        (
            ("direction", "below equilibrium", "above equilibrium"),
            ("unit", "50 N/m", "50 N/cm"),
            ("asked", "the period T and the maximum speed", "the period T and the maximum acceleration"),
            ("symbol", "period T", "period P"),
            ("digit", "0.40 kg", "0.44 kg"),
            ("bound", "the maximum speed", "the average speed"),
        ),
    ),
    Story(
        "refraction",
        "Light from Max's torch passes from air into glass with n = 1.52 at an angle of incidence of 40 degrees. Find the angle of refraction.",
        (
            "Light from Jone's torch passes from air into glass with n = 1.52 at an angle of incidence of 40 degrees. Find the angle of refraction.",
            "At an angle of incidence of 40 degrees, light from a torch that Jone holds passes from air into glass with n = 1.52. What is the angle of refraction?",
        ),
        (
            ("unit", "40 degrees", "40 radians"),
            ("direction", "from air into glass", "from glass into air"),
            ("digit", "1.52", "1.25"),
            ("asked", "angle of refraction", "angle of reflection"),
            ("role", "angle of incidence", "angle of refraction"),
        ),
    ),
    Story(
        "power",
        "Charlie lifts a bucket of 12 kg by 8.0 m at constant speed in 20 s. What is the average power? Take g = 9.8 m/s^2.",
        (
            "Chisomo lifts a clay water pot of 12 kg by 8.0 m at constant speed in 20 s. What is the average power? Take g = 9.8 m/s^2.",
            "In 20 s Chisomo lifts a jerrycan of 12 kg by 8.0 m at constant speed. Take g = 9.8 m/s^2. Calculate the average power.",
        ),
        (
            ("state", "at constant speed", "at increasing speed"),
            ("bound", "average power", "maximum power"),
            ("unit", "20 s", "20 min"),
            ("dropped", " in 20 s", ""),
            ("swap", "of 12 kg by 8.0 m", "of 8.0 kg by 12 m"),
            ("digit", "g = 9.8", "g = 8.9"),
        ),
    ),
    Story(
        "moment",
        "Diana weighs less than 65 kg. At most how far from the pivot may she sit if a child of 25 kg sits 2.0 m from it on the opposite side?",
        (
            "Lagi weighs less than 65 kg. At most how far from the pivot may she sit if a child of 25 kg sits 2.0 m from it on the opposite side?",
            "A child of 25 kg sits 2.0 m from the pivot. On the opposite side is Lagi, who weighs less than 65 kg. How far from the pivot may she sit at most?",
        ),
        (
            ("comparison", "less than 65 kg", "more than 65 kg"),
            ("bound", "At most how far", "At least how far"),
            ("direction", "on the opposite side", "on the same side"),
            (
                "swap",
                "less than 65 kg. At most how far from the pivot may she sit if a child of 25 kg",
                "less than 25 kg. At most how far from the pivot may she sit if a child of 65 kg",
            ),
            ("unit", "2.0 m", "2.0 ft"),
        ),
    ),
    Story(
        "field",
        "Tomas moves a charge of -3.0 nC by 4.0 cm against a uniform electric field of 200 N/C. How much work does the field do?",
        (
            "Derlis moves a charge of -3.0 nC by 4.0 cm against a uniform electric field of 200 N/C. How much work does the field do?",
            "Derlis moves a charge by 4.0 cm against a uniform electric field of 200 N/C. The charge is -3.0 nC. How much work does the field do?",
        ),
        (
            ("sign", "-3.0 nC", "3.0 nC"),
            ("direction", "against a uniform", "along a uniform"),
            ("unit", "nC", "mC"),
            ("role", "does the field do", "does Derlis do"),
            ("kind", "electric field", "magnetic field"),
            ("digit", "200", "300"),
        ),
    ),
    Story(
        "orbit",
        "A satellite photographed by Nora circles the Earth at a height of 350 km. The Earth has a radius of 6371 km and a mass of 5.97×10^24 kg. Find the orbital speed.",
        (
            "A satellite photographed by Catalina circles the Earth at a height of 350 km. The Earth has a radius of 6371 km and a mass of 5.97×10^24 kg. Find the orbital speed.",
            "Catalina photographs a satellite that circles the Earth at a height of 350 km. Find its orbital speed. The Earth has a mass of 5.97×10^24 kg and a radius of 6371 km.",
        ),
        (
            ("exponent", "10^24", "10^23"),
            ("role", "a height of 350 km", "a distance of 350 km from the centre of the Earth"),
            ("place", "circles the Earth", "circles the Moon"),
            ("asked", "Find the orbital speed", "Find the orbital period"),
            ("digit", "6371", "6731"),
        ),
    ),
    Story(
        "mixing",
        "Grace pours 200 g of tea at 90 °C into a cup of 300 g at 20 °C with a specific heat of 0.80 kJ/(kg·K). No heat is lost to the air. Find the final temperature.",
        (
            "Thuy pours 200 g of tea at 90 °C into a cup of 300 g at 20 °C with a specific heat of 0.80 kJ/(kg·K). No heat is lost to the air. Find the final temperature.",
            "A cup has a mass of 300 g, a temperature of 20 °C and a specific heat of 0.80 kJ/(kg·K). Thuy pours 200 g of tea at 90 °C into it. If no heat is lost to the air, what is the final temperature?",
        ),
        (
            (
                "swap",
                "200 g of tea at 90 °C into a cup of 300 g at 20 °C",
                "200 g of tea at 20 °C into a cup of 300 g at 90 °C",
            ),
            (
                "swap",
                "200 g of tea at 90 °C into a cup of 300 g",
                "300 g of tea at 90 °C into a cup of 200 g",
            ),
            ("unit", "0.80 kJ/(kg·K)", "0.80 J/(kg·K)"),
            ("negation", "No heat is lost", "Heat is lost"),
            ("bound", "final temperature", "initial temperature"),
            ("unit", "at 90 °C", "at 90 °F"),
        ),
    ),
    Story(
        "circuit_change",
        "Ethan adds a second identical lamp in parallel to a lamp on an ideal battery. Does the current through the first lamp increase, decrease or stay the same?",
        (
            "Quang adds a second identical lamp in parallel to a lamp on an ideal battery. Does the current through the first lamp increase, decrease or stay the same?",
            "In parallel to a lamp on an ideal battery, Quang adds a second identical lamp. Will the current through the first lamp increase, decrease or stay the same?",
        ),
        (
            ("kind", "in parallel", "in series"),
            ("role", "through the first lamp", "through the battery"),
            ("kind", "an ideal battery", "a battery with internal resistance"),
            ("asked", "the current through", "the voltage across"),
            ("relation", "identical lamp", "brighter lamp"),
        ),
    ),
    Story(
        "rotation",
        "The wheel of Peter's bicycle, of radius r = 0.35 m, turns clockwise from rest with an angular acceleration alpha = 2.0 rad/s^2 for t = 6.0 s. Find the angular speed omega and the number N of turns.",
        (
            "The wheel of Yao's bicycle, of radius r = 0.35 m, turns clockwise from rest with an angular acceleration alpha = 2.0 rad/s^2 for t = 6.0 s. Find the angular speed omega and the number N of turns.",
            "From rest, the wheel of Yao's bicycle (radius r = 0.35 m) turns clockwise for t = 6.0 s with an angular acceleration of alpha = 2.0 rad/s^2. Determine the angular speed omega and the number N of turns.",
        ),
        (
            ("unit", "2.0 rad/s^2", "2.0 deg/s^2"),
            ("direction", "clockwise", "counterclockwise"),
            ("state", "turns clockwise from rest", "turns clockwise at first with 1 turn per second"),
            ("role", "radius r", "diameter r"),
            ("asked", "the number N of turns", "the angle N of turns in radians"),
            ("digit", "t = 6.0 s", "t = 9.0 s"),
        ),
    ),
)
"""Not looked at until the check was finished."""

STORIES = DEVELOPMENT + HELD_OUT
