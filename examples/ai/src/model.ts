/**
 * In place of a model, so that the example runs without a key of a provider. Replace it by one: `openai('gpt-5-mini')` of @ai-sdk/openai,
 * for example.
 */
import type { wrapLanguageModel } from 'ai';

type Model = Exclude<Parameters<typeof wrapLanguageModel>[0]['model'], string>;

const WORD_MS = 30;
const id = 'reply';

/** It says what it was asked, backwards, for as many words as it may. */
export const model = {
  specificationVersion: 'v4',
  provider: 'stand-in',
  modelId: 'stand-in',
  supportedUrls: {},
  async doGenerate() {
    throw new Error('This model only streams');
  },
  async doStream({ prompt, maxOutputTokens = 1_000, abortSignal }) {
    const texts = prompt.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map((part) => (part.type === 'text' ? part.text : '')),
    );
    const asked = texts.join(' ').match(/\S+/g) ?? [];
    const words = asked.reverse().slice(0, maxOutputTokens);
    let said = 0;
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'text-start', id });
        abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason));
      },
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, WORD_MS));
        if (abortSignal?.aborted) return;
        const word = words[said];
        if (word !== undefined) {
          said++;
          controller.enqueue({ type: 'text-delta', id, delta: `${word} ` });
          return;
        }
        controller.enqueue({ type: 'text-end', id });
        controller.enqueue({
          type: 'finish',
          finishReason: { unified: 'stop', raw: undefined },
          usage: { inputTokens: tokens(asked.length), outputTokens: tokens(said) },
        });
        controller.close();
      },
    });
    return { stream };
  },
} satisfies Model;

function tokens(total: number) {
  return { total, noCache: total, cacheRead: 0, cacheWrite: 0, text: total, reasoning: 0 };
}
