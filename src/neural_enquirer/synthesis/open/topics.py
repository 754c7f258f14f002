"""Kinds of things that tables are about, with the attributes they have."""

from neural_enquirer.synthesis.open.lexicon import Topic

TOPICS: tuple[Topic, ...] = (
    Topic(
        "building",
        "buildings",
        False,
        ("building", "name", "Building Name"),
        "place",
        ("height", "floor_area", "built", "cost", "width", "length", "duration_days", "value"),
        placed=True,
    ),
    Topic(
        "employee",
        "employees",
        True,
        ("employee", "name", "Employee Name", "emp_name"),
        "person",
        (
            "salary",
            "age",
            "hire_date",
            "department",
            "manager",
            "job_title",
            "bonus",
            "residence",
            "gender",
            "experience",
            "vacation_days",
            "absences",
        ),
    ),
)
