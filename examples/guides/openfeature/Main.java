import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;

public class Main {
    public static void main(String[] args) throws Exception {
        var options = OfrepProviderOptions.builder()
            .baseUrl("https://tessera.example")
            .headers(ImmutableMap.of("Authorization", ImmutableList.of("Bearer " + System.getenv("TESSERA_KEY"))))
            .build();
        var api = OpenFeatureAPI.getInstance();
        api.setProviderAndWait(OfrepProvider.constructProvider(options));

        var client = api.getClient();
        var context = new ImmutableContext("ada@example.com");
        var canExport = client.getBooleanValue("data-exports", false, context);
        var maxDashboards = client.getIntegerValue("dashboards.maxDashboards", 3, context);
        System.out.println(canExport + " " + maxDashboards);
    }
}
