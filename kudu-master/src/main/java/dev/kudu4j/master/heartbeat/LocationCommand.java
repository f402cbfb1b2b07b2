package dev.kudu4j.master.heartbeat;

import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs the operator's command with the host as its last argument; its output is the location.
 * Locations are cached, failures are not.
 *
 * <p>The host comes from a server or a client, so it is not trusted. It is passed as one argument,
 * without a shell. The command is not run for text that is not a valid host name, such as one that
 * looks like an option.
 */
public final class LocationCommand implements Locations {
  private static final Pattern LOCATION = Pattern.compile("(/[a-zA-Z0-9_.-]+)+");
  private static final long PATIENCE_SECONDS = 10;
  private static final int LONGEST_OUTPUT = 4096;
  private static final int MAX_REMEMBERED = 100_000;

  private final String command;
  private final Executor executor;
  private final Map<String, String> known = new ConcurrentHashMap<>();

  /**
   * @param command a program and any arguments before the host, separated by spaces
   * @param executor runs the command; each run may block for some seconds
   */
  public LocationCommand(String command, Executor executor) {
    this.command = command;
    this.executor = executor;
  }

  @Override
  public CompletableFuture<String> locate(String host) {
    if (!HostPortWire.isHost(host)) {
      return CompletableFuture.failedFuture(
          KuduException.invalidArgument("%s is no host", UntrustedText.format(host)));
    }
    String location = known.get(host);
    return location != null
        ? CompletableFuture.completedFuture(location)
        : CompletableFuture.supplyAsync(() -> lookUp(host), executor);
  }

  private String lookUp(String host) {
    try {
      String location = known.get(host); // an earlier task of the executor may have found it
      if (location == null) {
        location = checked(host, run(host));
        if (known.size() < MAX_REMEMBERED) {
          known.put(host, location);
        }
      }
      return location;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }

  private String run(String host) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(command.strip().split("\\s+")));
    words.add(host);
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw KuduException.timedOut(
            "'%s %s' did not end within %d s", command, host, PATIENCE_SECONDS);
      }
      if (process.exitValue() != 0) {
        throw KuduException.illegalState(
            "'%s %s' ended with exit code %d", command, host, process.exitValue());
      }
      byte[] output = process.getInputStream().readNBytes(LONGEST_OUTPUT);
      return new String(output, StandardCharsets.UTF_8).strip();
    } finally {
      process.destroyForcibly();
    }
  }

  private String checked(String host, String location) {
    if (!LOCATION.matcher(location).matches()) {
      throw KuduException.illegalState(
          "'%s %s' printed %s, which is not a location such as /dc1/rack3",
          command, host, UntrustedText.format(location));
    }
    return location;
  }
}
