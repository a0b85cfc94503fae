/** Queue messages: types and their comments from worker/queue, queues from wrangler.toml, handlers from worker/index.ts. */
import { cell, commentBefore } from './read-comment.ts';
import { handlersOf, readSource } from './read-tables.ts';

const RESENT = 'The outbox sends it again after a minute.';

interface Message {
  readonly type: string;
  readonly about: string;
  readonly repeated: string;
  readonly lost: string;
}

/** @throws if a comment does not say what a repetition or a loss means */
export function messageTable(): string {
  const queues = queueOfBinding();
  const bindings = bindingOfMessage();
  const handlers = handlersOf('worker/index.ts', 'MESSAGE_HANDLERS');
  const rows = readMessages().map(({ type, about, repeated, lost }) => {
    const queue = queues.get(bindings.get(type) ?? '');
    const handler = handlers.get(type);
    if (queue === undefined || handler === undefined) fail(`${type} has no queue or no handler`);
    const cells = [`\`${type}\``, about, queue, `\`${handler}\``, repeated, lost];
    return `| ${cells.map(cell).join(' | ')} |`;
  });
  return [
    '| message | reports | queue | handler | if it comes twice | if it is lost |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

export function queueTable(): string {
  const consumers = readSource('wrangler.toml').matchAll(/\[\[queues\.consumers\]\]\n((?:[^[\n].*\n)+)/g);
  const rows = [...consumers].flatMap(([, block = '']) => {
    const find = (name: string) => new RegExp(`^${name} = "?([^"\n]*)"?$`, 'm').exec(block)?.[1];
    const of = (name: string) => find(name) ?? fail(`wrangler.toml: a consumer has no ${name}`);
    if (of('queue').endsWith('-dead')) return [];
    const dead = find('dead_letter_queue') === undefined ? 'none' : 'yes';
    return [
      `| \`${of('queue')}\` | ${of('max_batch_size')} | ${of('max_batch_timeout')} s | ${of('max_retries')} | ${dead} |`,
    ];
  });
  return [
    '| queue | messages a batch | waits for a batch | retries | dead letters |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function readMessages(): Message[] {
  const source = readSource('runtime/messages.ts');
  const [, outbox = ''] = /export type OutboxMessage =([^;]*);/.exec(source) ?? [];
  const found = source.matchAll(/export interface (\w+)[^{]*\{\n {2}readonly type: '([^']+)';/g);
  return [...found].map((match) => {
    const [, name = '', type = ''] = match;
    const comment = commentBefore(source, match.index);
    const isInOutbox = new RegExp(`\\b${name}\\b`).test(outbox);
    const [, about = '', repeated, ownLoss] = /^(.*?) Repeated: (.*?)(?: Lost: (.*))?$/.exec(comment) ?? [];
    const lost = isInOutbox ? RESENT : ownLoss;
    if (repeated === undefined || lost === undefined) {
      throw new Error(
        `runtime/messages.ts: the comment of ${name} needs "Repeated:", and "Lost:" without an outbox`,
      );
    }
    return { type, about, repeated, lost };
  });
}

/** The binding of each message. */
function bindingOfMessage(): Map<string, string> {
  const found = readSource('runtime/send-message.ts').matchAll(/^ {2}'([^']+)': '(\w+_QUEUE)',$/gm);
  return new Map([
    ['events.recorded', 'EVENTS_QUEUE'],
    ...[...found].map(([, type = '', binding = '']): [string, string] => [type, binding]),
  ]);
}

function queueOfBinding(): Map<string, string> {
  const found = readSource('wrangler.toml').matchAll(
    /\[\[queues\.producers\]\]\nbinding = "(\w+)"\nqueue = "tessera-([^"]+)"/g,
  );
  return new Map([...found].map(([, binding = '', queue = '']) => [binding, queue]));
}

function fail(message: string): never {
  throw new Error(message);
}
