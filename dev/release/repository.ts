// What a release asks of git, and what it does there.
import { execFileSync } from 'node:child_process';
import { StartError } from '../tools/start-error.ts';

export class Repository {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws {StartError} naming what is changed and not committed */
  ensureClean(): void {
    const changes = this.#git('status', '--porcelain');
    if (changes !== '')
      throw new StartError(`A release is what is committed. Commit or undo this first:\n\n${changes}`);
  }

  head(): string {
    return this.#git('rev-parse', 'HEAD');
  }

  hasTag(tag: string): boolean {
    return this.#git('tag', '--list', tag) !== '';
  }

  /** Commits everything that is changed, with a tag. */
  commit(message: string, tag: string): void {
    this.#git('commit', '--quiet', '--all', '--message', message);
    this.#git('tag', '--annotate', tag, '--message', message);
  }

  #git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.#folder, encoding: 'utf8', maxBuffer: 50_000_000 }).trim();
  }
}
