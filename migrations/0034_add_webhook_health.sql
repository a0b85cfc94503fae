ALTER TABLE `stripe_integration` ADD `webhook_health` text;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `webhook_refused_at` integer;