/** How many tokens a call takes: as the provider reports it, and estimated where it does not. */

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Of a file or an image, whose tokens no length tells. */
const FILE_TOKENS = 1_000;
const FILE = /^(reasoning-)?(file|image)/;
const utf8 = new TextEncoder();

/** @param bytesPerToken fewer estimate more */
export function estimateTokens(text: string, bytesPerToken: number): number {
  return Math.ceil(utf8.encode(text).length / bytesPerToken);
}

/** What is sent: messages and the descriptions of tools. */
export function inputTokens(sent: readonly unknown[], tokensOf: (text: string) => number): number {
  let files = 0;
  const text = JSON.stringify(sent, (_, value) => {
    if (!FILE.test(Object(value).type)) return value;
    files++;
    return undefined;
  });
  return tokensOf(text) + files * FILE_TOKENS;
}

/** What a part of a stream, or of a reply, has of the model's own words. */
export function textOf(part: unknown): string {
  const { delta, text, input } = Object(part);
  for (const own of [delta, text, input]) if (typeof own === 'string') return own;
  return '';
}

/** Versions of the AI SDK report a number, or an object with a total. Undefined where nothing is reported. */
export function reportedTokens(usage: unknown): Partial<Tokens> {
  const { inputTokens: input, outputTokens: output } = Object(usage);
  return { input: totalOf(input), output: totalOf(output) } as Partial<Tokens>;
}

function totalOf(reported: unknown): number | undefined {
  const total = Object(reported) === reported ? (reported as { total?: unknown }).total : reported;
  return Number.isFinite(total) ? (total as number) : undefined;
}
