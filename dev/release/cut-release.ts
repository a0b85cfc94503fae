// A release of what is committed: checked first, then written, so that nothing is half released.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../tools/start-error.ts';
import {
  addRelease,
  closeSection,
  ensureLater,
  NUMBERED,
  openSection,
  type Release,
  readReleases,
} from './releases.ts';
import type { Repository } from './repository.ts';

const CHANGELOG = 'CHANGELOG.md';
const RELEASES = 'docs/releases.md';

export interface PlannedRelease extends Release {
  readonly tag: string;
  /** By path: the texts that the release has. */
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * The release of package.json's number. Writes nothing.
 *
 * @param folder of the repository
 * @param date 2026-11-29
 * @throws {StartError} if something is not committed, the number was released before, or the changelog says nothing about it
 */
export function planRelease(folder: string, repository: Repository, date: string): PlannedRelease {
  repository.ensureClean();
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const releases = read(RELEASES);
  const tag = `v${version}`;
  const known = readReleases(releases).map((each) => each.version);
  if (known.includes(version) || repository.hasTag(tag))
    throw new StartError(`${version} was released before. npm run release -- --next opens the next one.`);
  ensureLater(version, known);
  const release = { version, date, commit: repository.head() };
  const texts = {
    [CHANGELOG]: closeSection(read(CHANGELOG), version, date),
    [RELEASES]: addRelease(releases, release),
  };
  return { ...release, tag, texts };
}

/**
 * Gives the repository the number of the next release, and the changelog a section for it. Commits nothing.
 *
 * @throws {StartError} if the newest number is not released, or not earlier
 */
export function openNext(folder: string, version: string): void {
  const path = (name: string) => join(folder, name);
  const change = (name: string, edit: (text: string) => string) => {
    const text = edit(readFileSync(path(name), 'utf8'));
    return () => writeFileSync(path(name), text);
  };
  const own = JSON.parse(readFileSync(path('package.json'), 'utf8')) as { version: string };
  ensureLater(version, [own.version]);
  const writes = [
    change(CHANGELOG, (text) => openSection(text, version)),
    ...Object.entries(NUMBERED).map(([name, edit]) => change(name, (text) => edit(text, version))),
  ];
  for (const write of writes) write();
}
