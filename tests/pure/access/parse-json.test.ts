// What the text of a body is refused for before it is parsed, and that the key `__proto__` is found however it is written.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseJson } from '#engine/access/parse-json';

const MAX_VALUES = 50_000;
const parse = (text: string) => parseJson(text, MAX_VALUES);
const object = (keys: number) =>
  `{${Array.from({ length: keys }, (_, index) => `"\\u005f\\u0070${index}":1`).join()}}`;

/** Every letter of the name that is chosen, as an escape. */
function spelled(escapes: number): string {
  const hex = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, '0');
  return [...'__proto__']
    .map((letter, place) => ((escapes >> place) & 1 ? `\\u${hex(letter)}` : letter))
    .join('');
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the key __proto__', () => {
  it('is refused with its path, whichever letters are escaped', () => {
    for (let escapes = 0; escapes < 512; escapes++) {
      for (const name of [spelled(escapes), spelled(escapes).replaceAll('f', 'F')]) {
        const refusal = 'a.0.__proto__: This name is not allowed';
        expect(() => parse(`{"a":[{"b":1, "${name}" : {}}]}`)).toThrow(refusal);
        expect(() => parse(`{"a":[{"${name}":1}]}`)).toThrow(refusal);
      }
    }
  });

  it.each([
    '{"a":"__proto__"}',
    '["__proto__"]',
    String.raw`{"a":"{\"__proto__\":1}"}`,
    String.raw`{"a":", \"__proto__\" :"}`,
    String.raw`{"a\"__proto__":1,"__proto__\"":1}`,
    String.raw`{"\\u005f_proto__":1}`,
    '{"__PROTO__":1,"_proto_":1,"__proto__a":1}',
    '{"a":{"__proto__":1},"a":2}',
  ])('is not seen in %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('is looked for without a step for each escape or each value', () => {
    const [replaces, walks] = [vi.spyOn(String.prototype, 'replace'), vi.spyOn(Object, 'keys')];
    const bodies = [
      `{"properties":${object(3_900)}}`,
      `["${'\\u005f'.repeat(170_000)}"]`,
      String.raw`{"a":"\"__proto__\":"}`,
    ];
    for (const body of bodies) parse(body);
    expect([replaces.mock.calls.length, walks.mock.calls.length]).toEqual([0, 0]);
  });
});

describe('limits', () => {
  it('an object has at most 4,000 keys, in whatever it is', () => {
    const refusal = 'The body has more than 4,000 keys in an object';
    expect(Object.keys(parse(object(4_000)) as object)).toHaveLength(4_000);
    for (const text of [object(4_001), `{"a":[1,${object(4_001)}]}`, `[${object(3)},{"b":${object(4_001)}}]`])
      expect(() => parse(text)).toThrow(refusal);
    expect(parse(`{"a":[${object(3_000)},${object(3_000)}],"b":${object(3_000)}}`)).toBeTypeOf('object');
  });

  it('a list has as many entries as the body may have values', () => {
    const list = (entries: number) => `[${Array(entries).fill(1).join()}]`;
    expect(parse(list(MAX_VALUES))).toHaveLength(MAX_VALUES);
    expect(() => parse(list(MAX_VALUES + 1))).toThrow('The body has more than 50,000 values');
  });

  it('text that is not JSON is refused as that', () => {
    for (const text of ['{', ',,', ']]', '}', '{"a":1,}', '"'])
      expect(() => parse(text)).toThrow('The body is not valid JSON');
  });
});
