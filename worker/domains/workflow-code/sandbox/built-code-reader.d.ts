/** The code reader and the parser as one module: made by dev/build/build-code-reader.mjs from ../reader before the Worker is bundled. */
export declare const CODE_READER: string;
