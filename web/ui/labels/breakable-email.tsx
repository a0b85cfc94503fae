/** An email address that wraps before its @ first, then after the dots of its domain. */
import { Box } from '@mantine/core';
import { Fragment } from 'react';

export function BreakableEmail({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      <Box component="span" display="inline-block" maw="100%">
        {withBreaks(email.slice(at))}
      </Box>
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
