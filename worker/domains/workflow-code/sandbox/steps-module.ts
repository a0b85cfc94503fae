/** The module of a dynamic worker that workflows' steps are imported from. */
export const STEPS_MODULE = './guest.js';

/** The lines that import the steps, at the end of a workflow's module. */
export const stepsImport = (name: string) => `\n;import { step as ${name} } from '${STEPS_MODULE}';\n`;
export const STEPS_IMPORT = /\n;import \{ step as \w+ \} from '\.\/guest\.js';\n$/;
