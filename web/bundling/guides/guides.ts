/**
 * A Vite plugin that turns the guides' Markdown into what the console's page renders, and emits each guide as Markdown at its address with
 * .md, with llms.txt. The Worker serves those with its own address in place of EXAMPLE_ORIGIN (worker/domains/api-docs/serve-markdown.ts).
 */
import { basename, dirname } from 'node:path';
import type { Plugin } from 'vite';
import { GUIDES, markdownPath } from '../../../packages/contracts/console/guide-list.ts';
import { readBlocks } from './read-blocks.ts';
import { guideMarkdown, guideText, llmsText, pagePath, sourcesOf } from './write-guide.ts';

export function guides(): Plugin {
  return {
    name: 'guides',
    enforce: 'pre',
    load(path) {
      if (!path.endsWith('.md') || dirname(path) !== dirname(pagePath(''))) return null;
      const name = basename(path, '.md');
      const id = name === 'overview' ? '' : name;
      for (const source of sourcesOf(id)) this.addWatchFile(source);
      return { code: `export const blocks = ${JSON.stringify(readBlocks(guideText(id)))};`, map: null };
    },
    generateBundle() {
      const emit = (path: string, source: string) =>
        this.emitFile({ type: 'asset', fileName: path.slice(1), source });
      for (const guide of GUIDES) emit(markdownPath(guide.id), guideMarkdown(guide));
      emit('/llms.txt', llmsText());
    },
  };
}
