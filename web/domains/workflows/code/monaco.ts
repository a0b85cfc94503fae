/**
 * The code editor, with the parts that a workflow needs. TypeScript runs in a worker of its own: it finds the errors, and
 * it is the compiler. Both workers are files of the console.
 */
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/format/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/parameterHints/register';
import 'monaco-editor/features/rename/register';
import 'monaco-editor/features/smartSelect/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/features/suggest/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/typescript/register';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import TypeScriptWorker from 'monaco-editor/language/typescript/ts.worker?worker';
import { typescriptDefaults } from 'monaco-editor/languages/features/typescript/register';

export { editor, MarkerSeverity, Uri } from 'monaco-editor/editor';
export {
  type Diagnostic,
  type EmitOutput,
  getTypeScriptWorker,
  typescriptDefaults,
} from 'monaco-editor/languages/features/typescript/register';

self.MonacoEnvironment = {
  getWorker: (_workerId, label) => (label === 'typescript' ? new TypeScriptWorker() : new EditorWorker()),
};

/** TypeScript's number for ES2022, which the enumeration of the editor lacks. */
const ES2022 = 9 as number;
const ES_MODULES = 99;
const NODE_RESOLUTION = 2;

typescriptDefaults.setCompilerOptions({
  target: ES2022,
  module: ES_MODULES,
  moduleResolution: NODE_RESOLUTION,
  // No DOM: workflows have neither a page nor a network.
  lib: ['esnext'],
  strict: true,
  noFallthroughCasesInSwitch: true,
  // Errors name the lines of the source with it.
  sourceMap: true,
  allowNonTsExtensions: true,
  types: [],
});
