package dev.kudu4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.master.MasterOptions;
import dev.kudu4j.server.flags.OptionsPage;
import dev.kudu4j.tserver.TabletServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/options.md is what the options say. Run with -DargLine=-Doptions.write=1 to bring it up to date. */
class OptionsPageTest {
  @Test
  void optionsPageIsCurrent() throws IOException {
    Path page = Path.of("..", "docs", "options.md");
    String current = OptionsPage.markdown(TabletServerOptions.all(), MasterOptions.all());
    if (System.getProperty("options.write") != null) {
      Files.writeString(page, current);
    }
    assertThat(page).as("run with -DargLine=-Doptions.write=1").content().isEqualTo(current);
  }
}
