package dev.kudu4j.embedded.programs;

import dev.kudu4j.client.AsyncKuduClient; // org.apache.kudu.client.AsyncKuduClient
import dev.kudu4j.client.AsyncKuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.Upsert;
import java.util.concurrent.CompletableFuture; // com.stumbleupon.async.Deferred
import java.util.concurrent.TimeUnit;

final class Ported {
  public static void main(String[] arguments) throws Exception {
    try (AsyncKuduClient client =
        new AsyncKuduClient.AsyncKuduClientBuilder(arguments[0]).build()) {
      // was: client.openTable("people").join(10_000)
      KuduTable table = client.openTable("people").get(10, TimeUnit.SECONDS);
      AsyncKuduSession session = client.newSession();
      Upsert upsert = table.newUpsert();
      upsert.getRow().addLong("id", 2);
      upsert.getRow().addString("name", "Grace");
      CompletableFuture<OperationResponse> answer = session.apply(upsert);
      CompletableFuture<String> told =
          answer
              .thenApply(done -> done.hasRowError() ? "refused" : "written") // was: addCallback
              .exceptionally(failure -> "failed: " + failure.getMessage()); // was: addErrback
      System.out.println(told.get(10, TimeUnit.SECONDS)); // was: join(10_000)
      session.close().get(10, TimeUnit.SECONDS);
    }
  }
}
