/** An email address that wraps before its @ first, then after the dots of its domain. */
import { Fragment } from 'react';
import classes from './breakable-email.module.css';

export function BreakableEmail({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      <span className={classes.host}>{withBreaks(email.slice(at))}</span>
    </>
  );
}

function withBreaks(host: string) {
  let length = 0;
  return host.split(/(?<=[.])/).map((part) => {
    length += part.length;
    return (
      <Fragment key={length}>
        {part}
        <wbr />
      </Fragment>
    );
  });
}
