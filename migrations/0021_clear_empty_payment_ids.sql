UPDATE `organization` SET `active_stripe_customer_id` = NULL WHERE `active_stripe_customer_id` = '';--> statement-breakpoint
UPDATE `organization` SET `active_stripe_subscription_id` = NULL WHERE `active_stripe_subscription_id` = '';
