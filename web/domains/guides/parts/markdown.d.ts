/** Guides in pages/, which the build reads from Markdown (web/bundling/guides/guides.ts). */
declare module '*.md' {
  export const blocks: readonly import('./blocks.ts').Block[];
}
