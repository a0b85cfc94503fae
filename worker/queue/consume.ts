/**
 * Consumes a batch of queue messages. Each message settles independently: a handled one is acknowledged, a failed one is
 * retried with exponential backoff until the queue moves it to its dead-letter queue.
 *
 * A queue delivers its next batch when this one has ended. So work that waits for somebody else's server does not hold
 * the batch: after a short time its messages are acknowledged, and the work goes on in the background.
 */
import { pauseAfter } from '#engine/back-off';
import type { Log } from '#runtime/log';
import type { MessageType, QueueMessage } from '#runtime/messages';

type MessageOf<Type extends MessageType> = Extract<QueueMessage, { type: Type }>;

/** Handles one message after another. */
type Handler<Context, Message> = (ctx: Context, message: Message) => Promise<void>;

/**
 * Handles all messages of its type in a batch at once, and returns one promise per message. Unless its patience has no end, the messages
 * can be recovered from the database, because those of long work are acknowledged before the work has ended.
 */
export interface TogetherHandler<Context, Message> {
  readonly together: (ctx: Context, messages: readonly Message[]) => readonly Promise<unknown>[];
  /**
   * How long the batch waits for the work, which the queue can retry meanwhile; PATIENCE_MS unless set. Infinity: until it ends, for
   * messages that only the queue has. Such work has an end of its own.
   */
  readonly patienceMs?: number;
}

/** One handler per message type; a missing one is a compile error. */
export type Handlers<Context> = {
  readonly [Type in MessageType]:
    | Handler<Context, MessageOf<Type>>
    | TogetherHandler<Context, MessageOf<Type>>;
};

interface ConsumeContext {
  readonly log: Log;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

const PAUSES_SECONDS = { first: 2, longest: 300 };
/** How long a batch waits for work that can go on in the background, unless its handler says otherwise. */
const PATIENCE_MS = 100;
const LATE = Symbol('late');

/** @param makeContext called once per message, and once for messages that are handled together */
export async function consume<Context extends ConsumeContext>(
  batch: MessageBatch<QueueMessage>,
  handlers: Handlers<Context>,
  makeContext: () => Context,
): Promise<void> {
  const byType = Map.groupBy(batch.messages, ({ body }) => body?.type);
  const together = [...byType].map(async ([type, messages]) => {
    const handler = handlerOf(handlers, type);
    if (!('together' in handler)) return;
    await consumeTogether(batch.queue, handler, makeContext(), messages);
  });
  for (const message of batch.messages) {
    const handler = handlerOf(handlers, message.body?.type);
    if (!('together' in handler)) await settle(batch.queue, makeContext(), message, handler);
  }
  await Promise.all(together);
}

async function settle<Context extends ConsumeContext>(
  queue: string,
  ctx: Context,
  message: Message<QueueMessage>,
  handle: Handler<Context, QueueMessage>,
): Promise<void> {
  try {
    await handle(ctx, message.body);
    message.ack();
  } catch (error) {
    retry(queue, ctx, message, error);
  }
}

async function consumeTogether<Context extends ConsumeContext>(
  queue: string,
  { together, patienceMs = PATIENCE_MS }: TogetherHandler<Context, QueueMessage>,
  ctx: Context,
  messages: readonly Message<QueueMessage>[],
): Promise<void> {
  const patience = patienceMs === Infinity ? null : scheduler.wait(patienceMs).then(() => LATE);
  const works = together(
    ctx,
    messages.map(({ body }) => body),
  );
  await Promise.all(
    messages.map(async (message, index) => {
      const work = works[index] ?? Promise.resolve();
      try {
        const ended = patience === null ? await work : await Promise.race([work, patience]);
        if (ended === LATE) ctx.waitUntil(work);
        message.ack();
      } catch (error) {
        retry(queue, ctx, message, error);
      }
    }),
  );
}

function retry(queue: string, { log }: ConsumeContext, message: Message<QueueMessage>, error: unknown): void {
  const { body, attempts } = message;
  log.warn('queue message failed', { queue, type: body?.type, attempts, error });
  message.retry({ delaySeconds: pauseAfter(attempts, PAUSES_SECONDS) });
}

function handlerOf<Context>(
  handlers: Handlers<Context>,
  type: unknown,
): Handler<Context, QueueMessage> | TogetherHandler<Context, QueueMessage> {
  if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) {
    return async (_, message) => {
      throw new TypeError(`Unknown queue message ${JSON.stringify(message)}`);
    };
  }
  // TypeScript does not relate the looked-up handler to the message's own type.
  return handlers[type as MessageType] as
    | Handler<Context, QueueMessage>
    | TogetherHandler<Context, QueueMessage>;
}
