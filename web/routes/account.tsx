/** /account: the user's profile, sessions and account deletion. */
import { Appearance } from '#web/domains/account/appearance.tsx';
import { DeleteAccount } from '#web/domains/account/delete-account.tsx';
import { ProfileForm } from '#web/domains/account/profile-form.tsx';
import { Sessions } from '#web/domains/account/sessions.tsx';
import { useSession } from '#web/session/session.ts';
import { Page } from '#web/ui/page/page.tsx';

export function AccountPage() {
  const { user } = useSession();
  if (user === null) return null;
  return (
    <Page subtitle="Your account, shared by all your organisations." crumb="Account">
      <ProfileForm key={user.id} name={user.name} email={user.email} />
      <Appearance />
      <Sessions />
      <DeleteAccount email={user.email} />
    </Page>
  );
}
