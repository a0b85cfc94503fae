/**
 * A Vite plugin that completes /licences.txt, in which Vite lists the packages of the console's scripts: with the fonts, which
 * are no scripts, and with the notices of what the editor contains.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

export const LICENCES_FILE = 'licences.txt';

const ADDED: readonly (readonly [title: string, file: string])[] = [
  ['@fontsource-variable/inter (OFL-1.1)', '@fontsource-variable/inter/LICENSE'],
  ['@fontsource-variable/jetbrains-mono (OFL-1.1)', '@fontsource-variable/jetbrains-mono/LICENSE'],
  ['Contained in monaco-editor', 'monaco-editor/ThirdPartyNotices.txt'],
];

export function licences(): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle: {
      order: 'post', // After Vite has listed the packages.
      handler(_options, bundle) {
        const file = bundle[LICENCES_FILE];
        if (file?.type !== 'asset') throw new Error(`The build has no ${LICENCES_FILE}`);
        const texts = ADDED.map(([title, path]) => `\n## ${title}\n\n${textOf(path)}\n`);
        file.source = String(file.source) + texts.join('');
      },
    },
  };
}

const textOf = (path: string) =>
  readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8').trim();
