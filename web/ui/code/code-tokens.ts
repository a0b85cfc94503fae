/**
 * Splits code into tokens for highlighting: strings, words, numbers, and the rest. Good enough for JSON and samples.
 */

export type TokenKind = 'name' | 'text' | 'value' | 'plain';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The offset in the code. */
  readonly at: number;
}

const TOKEN =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<value>(?<![\w:/.-])(?:true|false|null|True|False|None|-?\d+(?:\.\d+)?)\b)/g;

export function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: code.slice(end, match.index), at: end });
    const { name, text } = match.groups ?? {};
    const kind = name === undefined ? (text === undefined ? 'value' : 'text') : 'name';
    tokens.push({ kind, text: match[0], at: match.index });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ kind: 'plain', text: code.slice(end), at: end });
  return tokens;
}
