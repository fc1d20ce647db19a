/** The browser's side of Web Push: permission, and the subscription of this device. */

/** Whether this browser can show notifications from this page. */
export const supportsPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window && isSecureContext;

/** Subscribe with the server's public key; null if the visitor does not allow notifications. */
export async function subscribeToPush(key: string): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  await old?.unsubscribe(); // it may be for another key
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return subscription.toJSON();
}

/** End the subscription of this device at the browser's push service. */
export async function unsubscribeFromPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
