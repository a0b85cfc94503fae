/** /account: the user's own profile. */
import { Appearance } from '../features/account/appearance.tsx';
import { DeleteAccount } from '../features/account/delete-account.tsx';
import { ProfileForm } from '../features/account/profile-form.tsx';
import { Sessions } from '../features/account/sessions.tsx';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { Page } from '../ui/page.tsx';

export function AccountPage() {
  const { user } = useSession();
  if (user === null) return null;
  return (
    <Page
      title="Profile Information"
      subtitle="Your own account, the same in every organisation."
      crumbs={[{ label: 'Dashboard', to: paths.home }, { label: 'Account' }]}
    >
      <ProfileForm key={user.id} name={user.name} email={user.email} />
      <Appearance />
      <Sessions />
      <DeleteAccount email={user.email} />
    </Page>
  );
}
