package main

import (
	"context"
	"fmt"
	"os"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

func main() {
	provider := ofrep.NewProvider(
		"https://tessera.example",
		ofrep.WithBearerToken(os.Getenv("TESSERA_KEY")),
	)
	if err := openfeature.SetProviderAndWait(provider); err != nil {
		panic(err)
	}

	client := openfeature.NewClient("app")
	user := openfeature.NewEvaluationContext("ada@example.com", nil)
	canExport, _ := client.BooleanValue(context.Background(), "data-exports", false, user)
	maxDashboards, _ := client.IntValue(context.Background(), "dashboards.maxDashboards", 3, user)
	fmt.Println(canExport, maxDashboards)
}
