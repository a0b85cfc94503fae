/** The signed-in user's JWT from your auth provider. Null if nobody is signed in. Replace it with your sign-in. */
export function userToken(): string | null {
  return sessionStorage.getItem('token');
}
