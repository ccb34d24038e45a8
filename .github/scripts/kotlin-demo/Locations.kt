// The screen of an app that shows one location or several. AppFlags is what flagmenu generate kotlin writes; an app
// replaces FlagServer with OpenFeature's client.
import com.example.locations.AppFlags
import java.net.HttpURLConnection
import java.net.URL

/** The flags of a server of OpenFeature's remote evaluation protocol (OFREP). */
class FlagServer(private val address: String) {
    /** The value of a flag; its default if the server has none. */
    fun <T> value(flag: AppFlags.FlagKey<T>): T {
        val connection = URL("$address/ofrep/v1/evaluate/flags/${flag.key}").openConnection() as HttpURLConnection
        connection.doOutput = true
        connection.setRequestProperty("Content-Type", "application/json")
        connection.outputStream.use { it.write("{\"context\": {}}".toByteArray()) }
        if (connection.responseCode != 200) return flag.default
        val answer = connection.inputStream.bufferedReader().readText()
        val value = Regex("\"value\":(true|false|\"(?:[^\"\\\\]|\\\\.)*\")").find(answer) ?: return flag.default
        val text = value.groupValues[1]
        return flag.read(if (text.startsWith("\"")) text.drop(1).dropLast(1).replace("\\\"", "\"") else text)
    }

    /** Calls a function at the start and whenever a value may have changed. */
    fun follow(show: () -> Unit) {
        val lines = URL("$address/ofrep/v1/events").openStream().bufferedReader()
        show()
        lines.forEachLine { if (it.startsWith("data:")) show() }
    }
}

fun main(arguments: Array<String>) {
    val server = FlagServer(arguments[0])
    var screen = ""
    server.follow {
        val locations = server.value(AppFlags.locations)
        val shown = if (server.value(AppFlags.enableMultipleLocations)) locations else locations.take(1)
        val text = shown.joinToString(", ") { "${it.name} (${it.seats} seats)" }
        if (text != screen) println("Screen: $text")
        screen = text
    }
}
