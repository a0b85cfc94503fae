// By which texts a customer is found.
import { describe, expect, it, test } from 'vitest';
import { searchPrefix, searchWords } from '#engine/identity/search-words';

function isFound(text: string, search: string): boolean {
  return searchWords([text]).some((word) => word.startsWith(searchPrefix(search)));
}

test.each([
  ['Bruce Lee', 'Lee'],
  ['Ng', 'ng'],
  ['Anne Ng', 'Ng'],
  ['Bo X', 'x'],
  ['user_7', '7'],
  ['山田太郎', '太郎'],
  ['山田太郎', '太'],
  ['山田太郎', '山田太郎'],
  ['ヤマダ　タロウ', 'ﾀﾛｳ'],
  ['김철수', '철수'],
  ['สมชาย ใจดี', 'ใจดี'],
  ['Анна Ким', 'ким'],
  ['Søren Østergård', 'ø'],
  ['Søren Østergård', 'o'],
  ['Søren Østergård', 'soren ostergard'],
  ['Soren', 'SØREN'],
  ['Łukasz Łoś', 'ł'],
  ['Łukasz Łoś', 'lo'],
  ['Jan Weiß', 'weiß'],
  ['Jan Weiß', 'weiss'],
  ['Strasse', 'straße'],
  ['Conan O’Brien', "O'Brien"],
  ["Conan O'Brien", 'o’brien'],
  ["Conan O'Brien", 'brien'],
  ['Globex (Acme)', '(Acme)'],
  ['Globex (Acme)', 'Acme'],
  ['(Acme) Globex', '(Acme)'],
  ['José  María', 'jose maria'],
  ['ada.lovelace@example.com', 'lovelace@ex'],
  ['Rocket 🚀', '🚀'],
  ['@home', '@home'],
  ['---', '-'],
])('%s is found by %s', (text, search) => {
  expect(isFound(text, search)).toBe(true);
});

test.each([
  ['Bruce Lee', 'leo'],
  ['Bruce Lee', 'ee'],
  // Almost every customer's email ends like this.
  ['ada@example.com', 'com'],
])('%s is not found by %s', (text, search) => {
  expect(isFound(text, search)).toBe(false);
});

describe('the words of a customer', () => {
  it('are few and short, whatever the texts, and the whole texts are always among them', () => {
    const texts = ['a-'.repeat(200), `${'太'.repeat(64)}@example.com`, '郎'.repeat(300)];
    const words = searchWords(texts);
    expect(words.length).toBeLessThanOrEqual(32);
    expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(200);
    for (const text of texts) expect(words).toContain(text.slice(0, 200));
  });

  it('are none in the middle of a random id, and no endings that another one begins with', () => {
    const id = 'user_8f14e45f-ceea-467f-a8b5-3c59dc048e88';
    const email = 'ada.lovelace@example.com';
    expect(searchWords([id, email, 'Ada Lovelace'])).toEqual([
      '8f14e45f-ceea-467f-a8b5-3c59dc048e88',
      'ada lovelace',
      email,
      'example.com',
      'lovelace@example.com',
      id,
    ]);
  });

  it('contain those of the name, although the identifier has many', () => {
    expect(searchWords(['a-'.repeat(100), null, 'Bruce Lee'])).toContain('lee');
  });
});
