"""Records what pydantic makes of many inputs, for tests/unit/model/golden_test.cpp.

Usage: python record.py > recorded.json   (with the pydantic whose behaviour is to be followed)

Every model here has a twin of the same name in tests/unit/model/golden_fixtures.hpp. A case is a
JSON text and either the value that came out of it or the list of errors. Not recorded is where the
C++ edition differs on purpose; docs/models.md lists that.
"""

import enum
import json
import math
import sys
from typing import Annotated, Any, Dict, List, Literal, Optional, Union

import pydantic
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator


class Color(str, enum.Enum):
    red = "red"
    blue = "blue"


class Point(BaseModel):
    x: int
    y: float = 0.5


class MoveAction(BaseModel):
    model_config = ConfigDict(extra="forbid")
    metadata: Dict[str, Any] = Field(default_factory=dict)
    message: str = Field(min_length=1, max_length=8)
    count: int = Field(default=1, ge=0, le=10)
    ratio: float = 1.0
    flag: bool = False
    kind: Literal["a", "b"] = "a"
    color: Color = Color.red
    tags: List[str] = Field(default_factory=list)
    opt: Optional[int] = None
    point: Optional[Point] = None
    table: Dict[str, int] = {}


class Numbers(BaseModel):
    i: int = 0
    f: float = 0.5
    b: bool = False
    limited: int = Field(default=0, ge=0, le=10, multiple_of=3)
    positive: int = Field(default=5, gt=0, lt=100)
    ratio: float = Field(default=1.0, gt=0.0, lt=1.5)
    step: float = Field(default=0.5, ge=0.5, multiple_of=0.5)
    level: Literal[1, 2, 3] = 1
    maybe: Optional[int] = Field(default=None, ge=0)


class Texts(BaseModel):
    s: str = Field(default="abc", min_length=2, max_length=4, pattern="^a")
    one: str = Field(default="x", min_length=1, max_length=1)
    three: Literal["a", "b", "c"] = "a"
    single: Literal["only"] = "only"
    color: Color = Color.blue
    free: str = ""


class Containers(BaseModel):
    numbers: List[int] = Field(default=[1, 2], min_length=2, max_length=3)
    one: List[int] = Field(default=[1], min_length=1, max_length=1)
    points: List[Point] = []
    matrix: List[List[int]] = []
    entries: Dict[str, str] = Field(default={"k": "v"}, min_length=1, max_length=2)
    lists: Dict[str, List[int]] = {}
    anything: Any = None
    object: Dict[str, Any] = {}
    place: Point = Point(x=1, y=2.0)
    places: Dict[str, Point] = {}


class Jump(BaseModel):
    kind: Literal["jump"] = "jump"
    height: int


class Walk(BaseModel):
    kind: Literal["walk"] = "walk"
    steps: int = 1


Motion = Annotated[Union[Jump, Walk], Field(discriminator="kind")]


class Unions(BaseModel):
    motion: Motion = Walk()
    maybe: Optional[Motion] = None
    motions: List[Motion] = []
    id: Union[int, str] = 0
    amount: Union[int, float, bool, None] = None
    shape: Union[Point, List[int]] = [1]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


class Holder(BaseModel):
    """Holds others."""

    strict: Strict = Field(description="must be exact")
    spare: Optional[Strict] = Field(default=None, description="may be null")
    needed_or_null: Optional[int]
    e_2_b__c: int = Field(default=1, description="an odd name")


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    episode_id: Optional[str] = None
    step_count: int = Field(default=0, ge=0)


class Tree(BaseModel):
    value: int
    children: List["Tree"] = []


class Checked(BaseModel):
    n: int = 0
    m: int = 0

    @field_validator("n", "m")
    @classmethod
    def not_big(cls, value):
        if value > 5:
            raise ValueError("too big")
        return value

    @model_validator(mode="after")
    def differ(self):
        if self.n == self.m and self.n != 0:
            raise ValueError("n and m must differ")
        return self


INTEGERS = """ "7" | " 7 " | "7.0" | "7.00" | "7." | ".0" | "1_000" | "1__0" | "_1" | "1_" | "+5" | "-5"
 | "+-5" | "- 5" | "007" | "0_7" | "0__7" | "-0" | "1e3" | "0x10" | "" | " " | "1.5" | "1.0_0" | "1_0.0"
 | "\\u00a07\\u2003" | "7\\n" | "\\u0663" | 1.0 | 1e18 | 9.3e18 | 9.2e18 | -9.3e18 | 1e30 | 1e400
 | -1e400 | NaN | true | false | null | [] | {} | 1.5 | "abc" | "00.0" | "-00_1" | "+_1" | "1.000000"
 | "1.0000001" | "000" | "-" | "+" | "0_" | "_0" | "\\ud800" | 0.0 | -0.0 | "9223372036854775807"
 | 9223372036854775807 | -9223372036854775808 | 9223372036854775807.0 | "--1" | "1+1"
 | " +1 " | "\\u200b1" | [1] | {"a":1} | "true" | "1,000" | "0.0" | "0_0" | "0_0.0" | "-0.0" """
FLOATS = """ "1.5" | " 1.5 " | "nan" | "NaN" | "inf" | "-inf" | "+inf" | "Infinity" | "infinity" | "1e5"
 | "1_000.5" | "1__0" | "_1" | "1_" | "1." | ".5" | "." | "" | "0x1p3" | "1e400" | true | false | null
 | [] | {} | 12345678901234567890 | "abc" | 1e400 | NaN | -Infinity | "\\u0663" | "1 2" | "+1" | "1e"
 | "1_e5" | "1e_5" | "1e1_0" | "1._5" | "-nan" | "iNf" | "nanx" | "\\ud800" | 1 | 0.1 | "1e-400"
 | "+-1" | "-.5" | "-." | "e5" | "1e+5" | "1E5" | "infinit" | "\\u00a01" | "007.50" | "1.5f" """
BOOLS = """ 0 | 1 | 0.0 | 1.0 | 2 | -1 | 2.0 | 0.5 | "true" | "TRUE" | " true" | "t" | "yes" | "y" | "on"
 | "1" | "0" | "off" | "n" | "no" | "f" | "false" | "maybe" | "" | null | [] | {} | 12345678901234567890
 | NaN | 1e400 | 1e30 | 9.3e18 | 9.2e18 | "\\ud800" | "Yes" | "oN" | -0.0 | "1.0" | "falsey" | "truee" """


def field(name, values):
    """One text per value, with the value as that field."""
    return ['{"%s":%s}' % (name, value.strip()) for value in values.split(" | ")]


ROOTS = ["{}", "[]", "5", "null", '"x"', "true", "1.5", "[1,2]"]
MOVE = [
    "{}",
    '{"message":"hi"}',
    '{"message":""}',
    '{"message":"12345678"}',
    '{"message":"123456789"}',
    '{"message":"\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9"}',
    '{"message":"\\ud83d\\ude00\\ud83d\\ude00"}',
    '{"message":"\\ud800"}',
    '{"message":5}',
    '{"message":null}',
    '{"message":"hi","bogus":1}',
    '{"bogus":1,"message":"hi","other":[1,{"a":null}],"metadata":{"m":NaN}}',
    '{"message":"hi","count":11,"kind":"z","color":"green","tags":[1],"point":{"y":"q"},"opt":"x",'
    '"flag":"maybe","ratio":"abc","table":{"a":"b"},"metadata":5}',
    '{"metadata":5,"table":{"a":"b"},"ratio":"abc","flag":"maybe","opt":"x","point":{"y":"q"},'
    '"tags":[1],"color":"green","kind":"z","count":11,"zz":0,"message":7}',
    '{"message":"hi","count":"3","flag":"true","ratio":"1.5"}',
    '{"message":"hi","count":2.0}',
    '{"message":"hi","count":2.5}',
    '{"message":"hi","count":true}',
    '{"message":"hi","flag":2}',
    '{"message":"hi","metadata":{"m":1}}',
    '{"message":"hi","metadata":null}',
    '{"message":"hi","metadata":[]}',
    '{"type":"list_tools"}',
    '{"message":"a","message":"b"}',
    '{"message":7,"message":"b"}',
    '{"message":"b","message":7}',
    '{"message":"hi","point":{"x":1,"unknown":2}}',
    '{"message":"hi","point":{"x":1,"x":2}}',
    '{"message":"hi","point":5}',
    '{"message":"hi","point":[]}',
    '{"message":"hi","table":{"a":1,"b":"2","c":true,"d":4.0}}',
    '{"message":"hi","table":{"a":"x","b":null,"c":1.5}}',
    '{"message":"hi","table":{"a":"x","a":1}}',
    '{"message":"hi","table":[["a",1]]}',
    '{"message":"hi","tags":"ab"}',
    '{"message":"hi","tags":{"a":1}}',
    '{"message":"hi","tags":["a",null,"b",3,["c"]]}',
    '{"message":"hi","opt":null,"point":null}',
    '{"message":"hi","kind":null,"color":5}',
    '{"message":"hi","kind":"\\ud800","color":"\\ud800"}',
    '{"message":"hi","opt":1e999}',
    '{"message":"hi","ratio":NaN}',
    '{"message":"hi","\\u00e9":1,"":2}',
]
NUMBERS = (
    ["{}"]
    + field("i", INTEGERS)
    + field("f", FLOATS)
    + field("b", BOOLS)
    + field("limited", "-1 | 11 | 4 | 12 | 9 | 0 | -3 | 99999999999999999999 | \"6\" | true | null")
    + field("positive", "0 | 100 | 99 | 1 | -5 | 1e2 | \"0\" | false")
    + field("ratio", "0 | 0.0 | 1.5 | 2 | 1 | NaN | 1e400 | -1e400 | \"1.5\" | \"0.3\" | null")
    + field("step", "0.3 | 0.75 | 0.5 | 1e400 | NaN | 1e300 | 0 | 0.0 | -0.5 | 1000000.5 | 0.4999999999999")
    + field("level", "1 | 4 | true | false | 1.0 | 2.0 | 2.5 | \"1\" | null | [] | 12345678901234567890")
    + field("maybe", "null | -1 | 0 | \"x\" | [] | 5")
)
TEXTS = (
    ["{}"]
    + field("s", '"ab" | "a" | "b" | "abcde" | "bbb" | "" | "\\ud800a" | 5 | null | "a\\u00e9\\u00e9\\u00e9"')
    + field("one", '"" | "aa" | "a" | "\\ud83d\\ude00"')
    + field("three", '"c" | "d" | 5 | null | [] | "A" | true')
    + field("single", '"only" | "x" | null')
    + field("color", '"red" | "RED" | "" | null | 5 | true | {"a":1} | 1.0')
    + field("free", '"" | "x" | 5 | 5.5 | true | null | [] | {} | "\\u0000" | "\\"\\\\\\n"')
)
CONTAINERS = (
    ["{}"]
    + field("numbers", '[1] | [1,2] | [1,2,3] | [1,2,3,4] | [] | ["x"] | ["x","y"] | ["x",2,3,4,5] | {} | "ab" | null')
    + field("one", "[] | [1,2] | [5]")
    + field("points", '[] | [{"x":1}] | [5,{"x":"z"},{"y":1},{"x":1,"y":2}] | {"x":1} | [[]] | [null]')
    + field("matrix", '[[1,2],[3]] | [1] | [[1],["x",2,"y"]] | [[],[]] | [[[1]]]')
    + field("entries", '{} | {"a":"b"} | {"a":"1","b":"2","c":"3"} | {"a":1} | {"a":1,"b":2,"c":3} | [] | null | {"a":"1","a":"2","b":"3"}')
    + field("lists", '{"a":[1,"x"],"b":5} | {"":[]}')
    + field("anything", 'null | 1 | 1.5 | "x" | [1,[2]] | {"a":{"b":[]}} | true | 123456789012345678901234567890')
    + field("object", '{} | {"a":[1]} | [] | null | 5 | "{}"')
    + field("place", '{"x":5} | {} | null | {"x":"1","y":"2"} | "x" | [1,2]')
    + field("places", '{"a":{"x":1},"b":{}} | {"a":5}')
)
MOTIONS = (
    '{"kind":"fly"} | {} | {"kind":5} | {"kind":null} | {"kind":true} | 5 | [] | "jump" | {"kind":"jump"}'
    ' | {"kind":"walk","steps":"x"} | {"kind":"walk"} | {"steps":"q","kind":"walk"} | {"kind":"jump","height":2}'
    ' | {"kind":"fly","kind":"walk"} | {"height":1} | {"kind":"Jump"} | {"kind":1.5} | {"kind":""}'
)
UNIONS = (
    ["{}"]
    + field("motion", MOTIONS + " | null")
    + field("maybe", MOTIONS + " | null")
    + field("motions", '[] | [{"kind":"fly"},{"kind":"jump"},{"kind":"walk"}] | {"kind":"walk"}')
    + field("id", '1 | "1" | 1.0 | 1.5 | true | null | [] | "x"')
    + field("amount", '1 | 1.0 | 1.5 | true | null | "x" | "1" | "1.5" | "true" | [] | NaN')
    + field("shape", '{"x":1} | [1,2] | {} | ["q"] | 5 | {"x":1,"y":2.5} | [1.5]')
)
STRICT = ["{}", '{"a":1}', '{"zz":1,"yy":[1]}', '{"a":1,"zz":1}', '{"zz":1,"zz":2,"a":1}', '{"a":"x","":null}']
HOLDER = [
    "{}",
    '{"strict":{"a":1},"needed_or_null":null}',
    '{"strict":{"a":1,"b":2},"needed_or_null":1,"ignored":1}',
    '{"strict":null,"spare":null,"needed_or_null":"x"}',
    '{"spare":{"b":1}}',
]
OPEN = [
    "{}",
    '{"episode_id":"e","step_count":3,"score":0.5,"extra_key":{"a":[1,2]}}',
    '{"step_count":-1,"b":1,"a":2}',
    '{"episode_id":5,"x":NaN}',
]
TREE = [
    '{"value":1}',
    '{"value":1,"children":[{"value":2,"children":[{"value":"x"},{"value":3}]},{}]}',
    '{"value":1,"children":[5]}',
]
CHECKED = ["{}", '{"n":9}', '{"n":9,"m":"x"}', '{"n":1,"m":1}', '{"n":6,"m":7}', '{"n":"x"}', '{"n":5,"m":4}', '{"n":"6"}']

CASES = [
    (MoveAction, MOVE),
    (Numbers, NUMBERS),
    (Texts, TEXTS),
    (Containers, CONTAINERS),
    (Unions, UNIONS),
    (Strict, STRICT),
    (Holder, HOLDER),
    (Open, OPEN),
    (Tree, TREE),
    (Checked, CHECKED),
]


def plain(value):
    """JSON that holds neither NaN nor exceptions: what the C++ edition sends."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Exception):
        return str(value)
    return value


def record(model, text):
    try:
        # As the server does it: Python's parser, then the model.
        value = model.model_validate(json.loads(text))
        return {"text": text, "value": plain(value.model_dump(mode="python"))}
    except ValidationError as error:
        return {"text": text, "errors": plain(error.errors())}


def main():
    models = {
        model.__name__: {
            "schema": model.model_json_schema(),
            "cases": [record(model, text) for text in ROOTS + texts],
        }
        for model, texts in CASES
    }
    # One case a line, so that a changed recording shows what changed.
    out = sys.stdout
    out.write('{"pydantic":%s,"models":{' % json.dumps(pydantic.VERSION))
    for number, (name, entry) in enumerate(models.items()):
        out.write("%s\n%s:{\n" % ("," if number else "", json.dumps(name)))
        out.write('"schema":%s,\n"cases":[\n' % json.dumps(entry["schema"], separators=(",", ":")))
        lines = [json.dumps(case, separators=(",", ":")) for case in entry["cases"]]
        out.write(",\n".join(lines) + "\n]}")
    out.write("\n}}\n")


if __name__ == "__main__":
    main()
