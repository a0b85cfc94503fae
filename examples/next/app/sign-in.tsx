import { cookies } from 'next/headers';

/** In place of your sign-in. */
async function signIn(form: FormData) {
  'use server';
  const customer = String(form.get('customer'));
  (await cookies()).set('customer', customer, { httpOnly: true, sameSite: 'lax' });
}

export function SignIn() {
  return (
    <form action={signIn}>
      <label>
        Email <input name="customer" type="email" defaultValue="chidi.okafor@lanternworks.example" required />
      </label>{' '}
      <button type="submit">Sign in</button>
    </form>
  );
}
