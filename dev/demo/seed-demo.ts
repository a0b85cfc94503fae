export interface DemoAccess {
  email: string;
  password: string;
  secretKey: string;
  curl: string;
}
export async function seedDemo(baseUrl: string): Promise<DemoAccess> {
  return { email: 'demo@tessera.example', password: 'tessera-demo', secretKey: '', curl: baseUrl };
}
