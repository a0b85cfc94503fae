// What a deployment goes to. wrangler.toml alone says it, read by wrangler's own reader, and every call of wrangler takes it from here.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { captureTool, root, runTool, type ToolResult } from '../tools/run-tool.ts';
import { StartError } from '../tools/start-error.ts';

/** The parts of wrangler's `Config` that are used here. */
interface Config {
  readonly account_id?: string;
  readonly d1_databases: readonly { binding: string; database_name?: string; database_id?: string }[];
  readonly r2_buckets: readonly { binding: string; bucket_name?: string; jurisdiction?: string }[];
  readonly queues: {
    readonly producers?: readonly { queue: string }[];
    readonly consumers?: readonly { queue: string }[];
  };
  readonly vars: Readonly<Record<string, unknown>>;
  readonly send_email: readonly { allowed_sender_addresses?: readonly string[] }[];
}

interface Bucket {
  readonly name: string;
  /** Options of wrangler's commands for it and its objects. */
  readonly options: readonly string[];
}

/** @throws {StartError} with wrangler's words, if it cannot read the file */
export async function readDeployment(path = 'wrangler.toml'): Promise<Deployment> {
  const config = resolve(root, path);
  const script = resolve(import.meta.dirname, 'print-config.ts');
  const flags = ['--disable-warning=ExperimentalWarning'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, config], {
      maxBuffer: 16 * 1024 * 1024,
    });
    return new Deployment(config, JSON.parse(stdout) as Config);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim();
    throw said ? new StartError(`${path} could not be read:\n\n${said}`) : error;
  }
}

export class Deployment {
  readonly #path: string;
  readonly #config: Config;

  constructor(path: string, config: Config) {
    this.#path = path;
    this.#config = config;
  }

  /** Path of its wrangler.toml. */
  get path(): string {
    return this.#path;
  }

  get database(): { readonly name: string; readonly id: string } {
    const [{ database_name: name = '', database_id: id = '' } = {}] = this.#config.d1_databases;
    return { name, id };
  }

  get queues(): readonly string[] {
    const { producers = [], consumers = [] } = this.#config.queues;
    return [...new Set([...producers, ...consumers].map(({ queue }) => queue))];
  }

  get buckets(): readonly Bucket[] {
    return this.#config.r2_buckets.map(({ bucket_name: name = '', jurisdiction }) => ({
      name,
      options: jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction],
    }));
  }

  /** @throws {Error} without such a binding */
  bucketOf(binding: 'ARTIFACTS' | 'EVENT_ARCHIVE'): Bucket {
    const bucket = this.buckets[this.#config.r2_buckets.findIndex((each) => each.binding === binding)];
    if (bucket === undefined)
      throw new StartError(`${this.#path} has no bucket with the binding ${binding}.`);
    return bucket;
  }

  get mailFrom(): unknown {
    return this.#config.vars.MAIL_FROM;
  }

  /** Undefined: any of the account's domains. */
  get allowedSenders(): readonly string[] | undefined {
    return this.#config.send_email[0]?.allowed_sender_addresses;
  }

  /** Runs wrangler and captures what it prints. */
  ask(...args: readonly string[]): Promise<ToolResult> {
    return captureTool('wrangler', this.#with(args), { env: this.#env });
  }

  /** Runs wrangler, which may ask the user. */
  run(...args: readonly string[]): Promise<ToolResult> {
    return runTool('wrangler', this.#with(args), { env: this.#env, stdio: 'inherit' });
  }

  /** Not every command of wrangler reads the account from the file. */
  get #env(): NodeJS.Dict<string> {
    const { account_id: id } = this.#config;
    return id === undefined ? {} : { CLOUDFLARE_ACCOUNT_ID: id };
  }

  #with(args: readonly string[]): string[] {
    return [...args, '--config', this.#path];
  }
}
