/**
 * Has compiled code read in a dynamic worker of the loader that it is given: one for each organisation, so that code which takes its
 * reader's whole time keeps nobody else waiting.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import { crc32 } from '#engine/identity/crc32';
import { CODE_READER } from './built-code-reader.js';

const COMPATIBILITY_DATE = '2026-10-15';
/** Enforced by the platform, not locally. The largest code within the reader's limits takes less than half. */
export const READER_LIMITS = { cpuMs: 1_000, subRequests: 0 };
const RELEASE = crc32(`${CODE_READER}${JSON.stringify(READER_LIMITS)}`).toString(36);
/** Organisations in one generation of the cache. */
const REMEMBERED = 10_000;

interface ReaderEntrypoint extends Rpc.WorkerEntrypointBranded {
  read(compiled: string): Promise<string>;
}

export interface ReadRequest {
  /** Names whose code it is. */
  readonly owner: string;
  readonly compiled: string;
  /** Milliseconds of wall time. */
  readonly timeoutMs: number;
}

/** How often an organisation's reader broke: the next one has another name. */
const breaks = new BoundedCache<string, number>(REMEMBERED);

/** @returns what the reader answers, which is not to be trusted @throws {Error} if it was ended, or does not answer in time */
export async function readInLoader(
  loader: WorkerLoader,
  { owner, compiled, timeoutMs }: ReadRequest,
): Promise<string> {
  const broken = breaks.get(owner) ?? 0;
  const reader = loader.get(`read.${owner}.${RELEASE}.${broken}`, readerCode);
  try {
    return String(
      await within(timeoutMs, reader.getEntrypoint<ReaderEntrypoint>('CodeReader').read(compiled)),
    );
  } catch (error) {
    breaks.set(owner, broken + 1);
    throw error;
  }
}

function readerCode(): WorkerLoaderWorkerCode {
  return {
    compatibilityDate: COMPATIBILITY_DATE,
    mainModule: 'reader.js',
    modules: { 'reader.js': CODE_READER },
    env: {},
    globalOutbound: null,
    limits: READER_LIMITS,
  };
}

async function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
