import generated from '../../../../examples/guides/tessera.gen.ts?raw';
import typed from '../../../../examples/guides/types/typed.ts?raw';
import { Part, Snippet } from '../parts/guide-parts.tsx';

export function TypesGuide() {
  return (
    <>
      <p>
        <code>tessera.gen.ts</code> names your features and plans. The compiler then checks every path, value
        and fallback. Without it, paths are strings.
      </p>
      <Part title="Generated file">
        <p>
          Open a version under <em>Environments › Versions</em> and choose <em>Types for your app</em> in its
          menu. Put the file anywhere in your project and commit it. Download it again after you add or rename
          something.
        </p>
        <Snippet file="tessera.gen.ts" code={generated} />
      </Part>
      <Part title="What it catches">
        <Snippet file="typed.ts" code={typed} />
      </Part>
      <Part title="Deploy order">
        <p>
          Deploy the version before the code that reads its new features. Until then, reads return their
          fallbacks: an unknown path is never an error at runtime.
        </p>
      </Part>
    </>
  );
}
