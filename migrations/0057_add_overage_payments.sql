ALTER TABLE `customer_balance` ADD `pays_overage` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `customer_balance` ADD `overage_paid_at` integer;--> statement-breakpoint
ALTER TABLE `stripe_top_up` ADD `pays_overage` integer DEFAULT false NOT NULL;