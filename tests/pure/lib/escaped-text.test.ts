// Text of callers and customers in answers, errors, logs and mails: what a terminal or a page would act on is escaped, everywhere alike.
import { expect, test } from 'vitest';
import { escapeText } from '#contracts/public/characters';
import { warningOf } from '#contracts/public/warnings';
import { duplicate, invalidField, invalidRequest } from '#worker/http/api-error';
import { composeMail } from '#worker/platform/mail-message';

const ODD = 'a\u001b[31mb\u009b31m\u007f\u202e\u2066\u200f\u2028\ufeff';
const SHOWN = 'a\\u001b[31mb\\u009b31m\\u007f\\u202e\\u2066\\u200f\\u2028\\ufeff';
const ACTING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

test.each(['👨\u200d👩\u200d👧', 'می\u200cخواهم', 'José, 太郎 and “friends”', 'C:\\temp'])(
  'joiners, scripts and signs stay as they are: %j',
  (text) => expect(escapeText(text)).toBe(text),
);

test('a warning shows what a caller or a program sent, and acts on nothing', () => {
  expect(warningOf('feature-unknown', ODD).message).toContain(SHOWN);
  expect(warningOf('workflow-result-ignored', `${ODD}: ${ODD}`).message).not.toMatch(ACTING);
});

test('an error shows what a caller sent, and acts on nothing: its message and its issues', () => {
  const issue = { path: SHOWN, message: SHOWN };
  expect(invalidField(ODD, ODD)).toMatchObject({
    message: `${SHOWN}: ${SHOWN}`,
    detail: { issues: [issue] },
  });
  expect(invalidRequest([{ path: '', message: ODD }]).message).toBe(SHOWN);
  expect(duplicate(ODD, ODD)).toMatchObject({ message: SHOWN, detail: { issues: [issue] } });
});

test('a mail shows what people typed, and acts on nothing: its subject, its text and its page', () => {
  const action = { label: ODD, url: 'https://tests.example/o' };
  const mail = composeMail({ to: 'ada@example.com', subject: `Join ${ODD}`, paragraphs: [ODD, ODD], action });
  expect(mail.text.replaceAll('\n', '')).not.toMatch(ACTING);
  expect(mail.html.replaceAll('\n', '')).not.toMatch(ACTING);
  expect(mail.subject).not.toMatch(ACTING);
  expect(mail.text).toContain(SHOWN);
  expect(mail.html).toContain(SHOWN);
});
