// What Vite offers to tests: the text of a file, and variables of the shell whose names begin with VITE_.
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite offers the text so
  export default text;
}

interface ImportMeta {
  readonly env: { readonly VITE_RECORD_ANSWERS?: string };
}
