// The settings of a local server: dev/development.vars, overridden by .dev.vars, overridden by the file that TESSERA_VARS names. All are
// read before anything starts, as the Worker reads them.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings, SETTING_NAMES, SettingError } from '#worker/settings';
import { suggestion } from '../tools/nearest-name.ts';
import { root } from '../tools/run-tool.ts';
import { StartError } from '../tools/start-error.ts';
import { readEnvFile } from './env-file.ts';

export interface LocalSettings {
  readonly all: NodeJS.Dict<string>;
  /** What .dev.vars and TESSERA_VARS set. */
  readonly own: NodeJS.Dict<string>;
}

export interface SettingsFile {
  /** As the user knows it. */
  readonly name: string;
  readonly text: string;
}

/**
 * @param url BASE_URL, unless it is set
 * @throws {StartError} naming every unknown name and malformed line, or the first refused value
 */
export function readLocalSettings(url: string): LocalSettings {
  const own = ['.dev.vars', process.env.TESSERA_VARS || null].flatMap((name): SettingsFile[] => {
    if (name === null) return [];
    const path = resolve(root, name);
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder === false) return [{ name, text: readFileSync(path, 'utf8') }];
    if (name === '.dev.vars') return [];
    const problem = isFolder ? 'is a folder. Name a file' : 'does not exist. Create it';
    throw new StartError(`TESSERA_VARS names ${path}, which ${problem}, or unset TESSERA_VARS`);
  });
  const defaults = readFileSync(join(root, 'dev/development.vars'), 'utf8');
  return mergeSettings({ name: 'dev/development.vars', text: defaults }, own, url);
}

/** @throws {StartError} */
export function mergeSettings(
  defaults: SettingsFile,
  own: readonly SettingsFile[],
  url: string,
): LocalSettings {
  const files = own.map(({ name, text }) => ({ name, ...readEnvFile(text) }));
  const problems = files.flatMap(({ name: file, lines, malformed }) => [
    ...malformed.map((line) => `${file}, line ${line}: this is not NAME=value.`),
    ...[...lines]
      .filter(([name]) => !SETTING_NAMES.includes(name))
      .map(
        ([name, line]) =>
          `${file}, line ${line}: there is no setting ${name}.${suggestion(name, SETTING_NAMES)}`,
      ),
  ]);
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  const ownValues = Object.assign({}, ...files.map(({ values }) => values)) as NodeJS.Dict<string>;
  const all = { ...readEnvFile(defaults.text).values, BASE_URL: url, ...ownValues };
  try {
    readSettings(all);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const file = files.findLast(({ lines }) =>
      [...lines.keys()].some((name) => error.message.includes(name)),
    );
    throw new StartError(`${file?.name ?? defaults.name}: ${error.message}.`);
  }
  return { all, own: ownValues };
}
