/** An e-mail address that a narrow column breaks where it is read: before its @, after its dots. */
import { Fragment } from 'react';

export function BreakableEmail({ email }: { email: string }) {
  let at = 0;
  return email.split(/(?=@)|(?<=[.])/).map((part) => {
    at += part.length;
    return (
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    );
  });
}
