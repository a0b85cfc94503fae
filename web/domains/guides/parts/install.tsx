/** How a guide begins: the package, and the variables that the client reads. */
import { installCommand } from '#web/values/client-example.ts';
import { Part, Snippet } from './guide-parts.tsx';

/** @param file where the framework reads variables from */
export function Install({ file }: { file: string }) {
  const { origin } = window.location;
  return (
    <Part title="Install">
      <Snippet file="Terminal" code={installCommand(origin)} />
      <p>
        The client reads two variables. The key is a secret key of an environment, so keep the file out of
        version control.
      </p>
      <Snippet file={file} code={`TESSERA_URL=${origin}\nTESSERA_KEY=tsr_sec_…`} />
    </Part>
  );
}
