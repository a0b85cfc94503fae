import os

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

api.set_provider(
    OFREPProvider(
        "https://tessera.example",
        headers_factory=lambda: {"Authorization": f"Bearer {os.environ['TESSERA_KEY']}"},
    )
)

client = api.get_client()
context = EvaluationContext(targeting_key="ada@example.com")
can_export = client.get_boolean_value("data-exports", False, context)
max_dashboards = client.get_integer_value("dashboards.maxDashboards", 3, context)
