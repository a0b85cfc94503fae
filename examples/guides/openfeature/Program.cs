using OpenFeature;
using OpenFeature.Model;
using OpenFeature.Providers.Ofrep;
using OpenFeature.Providers.Ofrep.Configuration;

var options = new OfrepOptions("https://tessera.example")
{
    Headers = new() { ["Authorization"] = $"Bearer {Environment.GetEnvironmentVariable("TESSERA_KEY")}" },
};
await Api.Instance.SetProviderAsync(new OfrepProvider(options));

var client = Api.Instance.GetClient();
var context = EvaluationContext.Builder().SetTargetingKey("ada@example.com").Build();
var canExport = await client.GetBooleanValueAsync("data-exports", false, context);
var maxDashboards = await client.GetIntegerValueAsync("dashboards.maxDashboards", 3, context);
Console.WriteLine($"{canExport} {maxDashboards}");
