// A process of its own: workerd with the Worker and the console. Started by local-server.ts, and ends with it.
import { startDirect } from './direct-server.ts';

export interface TesseraOrder {
  readonly port: number;
  readonly bundlePath: string;
  readonly configPath: string;
  readonly vars: NodeJS.Dict<string>;
  readonly persistTo: string;
}

export type TesseraMessage =
  | { readonly kind: 'ready' | 'reloaded' }
  | { readonly kind: 'failed'; readonly reason: string };

/** workerd reports its own bookkeeping of alarms, which asks nobody for anything. */
const isNoise = (message: string) => message.includes('NOSENTRY SQLite alarm handler canceled');

process.on('disconnect', () => process.exit()); // workerd ends with its parent's pipes.
process.on('SIGINT', () => undefined); // Ctrl-C reaches the starting process, which ends this one in turn.

process.once('message', async (order: TesseraOrder) => {
  try {
    const server = await startDirect({ ...order, isWhole: true, onLog });
    process.on('message', async (message: 'reload' | 'stop') => {
      if (message === 'stop') {
        await server.miniflare.dispose();
        process.exit();
      }
      await server.restart();
      send({ kind: 'reloaded' });
    });
    send({ kind: 'ready' });
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
});

/** Warnings and errors; what else the Worker logs is for the platform's logs. */
function onLog(level: string, message: string): void {
  if ((level === 'warn' || level === 'error') && !isNoise(message)) process.stderr.write(`${message}\n`);
}

function send(message: TesseraMessage): void {
  process.send?.(message);
}
