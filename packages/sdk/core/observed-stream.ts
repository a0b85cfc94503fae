/** A stream as it is, whose parts and end are told: its end by itself, by a failure, or because its reader cancels it. */

interface Observer {
  during<Result>(work: () => PromiseLike<Result>): Promise<Result>;
  observe(part: unknown): void;
  /** Never rejects. The stream ends after it, so that a Worker lives until then. */
  end(): Promise<void>;
}

export function observedStream<Part>(
  source: ReadableStream<Part>,
  { during, observe, end }: Observer,
): ReadableStream<Part> {
  const reader = source.getReader();
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        try {
          const { done, value } = await during(() => reader.read());
          if (!done) {
            observe(value);
            controller.enqueue(value);
            return;
          }
          await end();
          controller.close();
        } catch (error) {
          await end();
          controller.error(error);
        }
      },
      async cancel(reason) {
        const ended = end();
        await reader.cancel(reason).catch(() => {});
        await ended;
      },
    },
    { highWaterMark: 0 },
  );
}
